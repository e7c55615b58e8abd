//! `whodunit serve`: pages in a browser.

use crate::args;
use crate::exit::{Failure, NOTHING};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use store::Reader;
use web::{Access, Experiment, Server, Site};

pub fn run(args: &args::Serve) -> Result<u8, Failure> {
    let token = args.token_file.as_deref().map(|path| {
        let unreadable = |error| Failure::input(format!("cannot read {}: {error}", path.display()));
        std::fs::read_to_string(path).map_err(unreadable)
    });
    let access =
        Access::new(args.address, token.transpose()?.as_deref()).map_err(Failure::input)?;
    let campaign = match (&args.campaign, args.experiments.is_empty()) {
        (Some(campaign), _) => Some(campaign.as_path()),
        (None, true) => Some(Path::new("whodunit-campaign")),
        (None, false) => None,
    };
    let reader = campaign.map(Reader::open).transpose()?;
    let experiments: Result<Vec<Experiment>, _> =
        args.experiments.iter().map(|folder| Experiment::open(folder)).collect();
    let site = Arc::new(Site::new(reader, experiments.map_err(Failure::input)?)?);
    let server = Server::listen(access, args.port).map_err(Failure::input)?;
    eprintln!("serving at {} (Ctrl-C ends it)", server.link());
    // Nothing is lost when it is killed: it only reads.
    server.run(&site, &Arc::new(AtomicBool::new(false)));
    Ok(NOTHING)
}
