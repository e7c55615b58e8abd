//! What people see in a browser: the report, and the pages of `serve`.
#![allow(clippy::unwrap_used)] // in tests, a panic is the message

mod browser;
#[path = "../support/mod.rs"]
mod support;

use browser::Browser;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use support::Machine;

/// A compiler that crashes at -O2, with a message that would like to be a script.
const BAD: &str = r#"#!/bin/sh
PATH=/usr/bin:/bin
for arg; do case "$arg" in -O2) now=yes ;; *.c) file=$arg ;; esac; done
if [ "$now" ] && [ "$file" ] && grep -q crash "$file"; then
    echo "during GIMPLE pass: <script>document.title='owned'</script>" >&2
    echo "internal compiler error: in <img src=x onerror=document.title='owned'>, at a.cc:12" >&2
    exit 1
fi
exec @GCC@ "$@"
"#;

/// A campaign "c" of two programs, one of which crashes the compiler.
fn machine() -> Option<Machine> {
    let machine = Machine::with(&["gcc-12"])?;
    let gcc = support::installed("gcc-12")?;
    machine.script("bin/bad", &BAD.replace("@GCC@", gcc.to_str().unwrap()));
    machine.write(
        "whodunit.toml",
        "[[set]]\ncompilers = [\"gcc-12\", \"bad\"]\nlevels = [\"-O0\", \"-O2\"]\n",
    );
    let program = |what: &str| format!("/* {what} */\nint main(void) {{ return 0; }}\n");
    machine.write("programs/0.c", program("</pre><script>document.title='owned'</script> crash"));
    for index in 1..6 {
        machine.write(&format!("programs/{index}.c"), program("fine"));
    }
    machine.run(&hunt("2")).ends_with(1);
    Some(machine)
}

fn hunt(programs: &str) -> [&str; 9] {
    [
        "hunt",
        "--source",
        "programs",
        "--campaign",
        "c",
        "--reduce-tries",
        "20",
        "--programs",
        programs,
    ]
}

/// The pages of a campaign, until it is dropped.
struct Served {
    child: Child,
    port: u16,
}

impl Served {
    fn start(machine: &Machine, more: &[&str]) -> Served {
        Served::start_with(machine, &[&["serve", "--campaign", "c", "--port", "0"], more].concat())
    }

    fn start_with(machine: &Machine, args: &[&str]) -> Served {
        let mut child = machine.command(args).stdout(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let rest = line.split(':').nth(2).unwrap_or_else(|| panic!("{line}"));
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        Served { child, port: digits.parse().unwrap_or_else(|_| panic!("{line}")) }
    }

    fn link(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// The answer to a request as it is.
    fn ask(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn status(&self, path: &str, headers: &str) -> String {
        let answer = self.ask(&format!("GET {path} HTTP/1.1\r\n{headers}\r\n"));
        answer.split(' ').nth(1).unwrap_or_default().to_owned()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// The page loaded without a complaint, nothing of it ran that should not, and it is as wide as the window.
#[track_caller]
fn look(browser: &Browser, what: &str) {
    assert_eq!(browser.complaints(), Vec::<String>::new(), "{what}");
    assert_ne!(browser.run("return document.title"), "owned", "{what}");
    for width in [380, 1400] {
        browser.resize(width);
        let wide = browser.run("return document.documentElement.scrollWidth - innerWidth");
        assert!(wide.as_i64().unwrap() <= 0, "{what} is {wide} too wide at {width}");
    }
}

#[test]
fn a_report_is_one_page_whose_texts_can_be_copied() {
    let (Some(machine), Some(browser)) = (machine(), Browser::start()) else { return };
    machine.run(&["report", "--campaign", "c", "--out", "report.html"]).ends_with(0);
    for beside in ["report.md", "report.json", "report.sarif", "bugs/0-0/reproduce.sh"] {
        assert!(machine.path(beside).is_file(), "{beside}");
    }
    browser.permit_clipboard();
    browser.open(&format!("file://{}", machine.path("report.html").display()));
    look(&browser, "the report");
    let outside = "return document.querySelectorAll('script[src], link, img, iframe').length";
    assert_eq!(browser.run(outside), 0);
    // A link into it unfolds what it points at.
    assert_eq!(browser.run("return document.querySelector('details.bug').open"), false);
    browser.run("document.querySelector('td[data-column=Id] a').click()");
    browser.wait_for("new Promise(done => setTimeout(done, 100))");
    assert_eq!(browser.run("return document.querySelector('details.bug').open"), true);
    look(&browser, "the report, unfolded");
    let copied = "(async () => {
        const button = document.querySelector('[data-copy]');
        button.closest('details').open = true;
        button.click();
        await new Promise(done => setTimeout(done, 300));
        return button.textContent + '|' + await navigator.clipboard.readText();
    })()";
    let copied = browser.wait_for(copied);
    let copied = support::text(&copied);
    assert!(copied.starts_with("Copied|"), "{copied}");
    assert!(copied.contains("<script>document.title='owned'</script>"), "{copied}");
}

#[test]
fn pages_follow_a_campaign_without_being_loaded_again() {
    let (Some(machine), Some(browser)) = (machine(), Browser::start()) else { return };
    let served = Served::start(&machine, &[]);
    let pages = [
        "/",
        "/bugs",
        "/bugs/0-0",
        "/findings",
        "/findings?kind=crash",
        "/findings/0-0",
        "/experiments",
    ];
    for page in pages {
        browser.resize(1400);
        browser.open(&served.link(page));
        look(&browser, page);
    }
    browser.open(&served.link("/"));
    browser.run("window.mark = 'still the same page'");
    let programs = "return document.querySelector('.numbers b').textContent";
    assert_eq!(browser.run(programs), "2");
    machine.run(&hunt("6")).ends_with(1);
    support::wait_until("the page shows the new number", || browser.run(programs) == "6");
    // Chunks on a cluster are shown as they go from place to place.
    let chunk = "<script>document.title='owned'</script>";
    let submitted =
        serde_json::json!({ "event": "submitted", "submission": 1, "job": "7", "chunks": [chunk] });
    let running = serde_json::json!({ "event": "running", "chunk": chunk, "host": "n017" });
    machine.write("c/slurm/ledger.jsonl", format!("{submitted}\n{running}\n"));
    let node = "return (document.querySelector('td[data-column=Node]') || {}).textContent";
    support::wait_until("the page shows the node", || browser.run(node) == "n017");
    assert_eq!(browser.run("return window.mark"), "still the same page");
    look(&browser, "the page after a change");
}

#[test]
fn only_those_who_may_are_answered_and_nothing_can_be_changed() {
    let Some(machine) = machine() else { return };
    let served = Served::start(&machine, &[]);
    let host = format!("Host: 127.0.0.1:{}\r\n", served.port);
    for (path, status) in [
        ("/", "200"),
        ("/bugs/0-0/reproduce.sh", "200"),
        ("/bugs/0-0/isolation", "404"),
        ("/bugs/9-9", "404"),
        ("/bugs/..%2f..%2fetc%2fpasswd", "404"),
        ("/bugs/0-0/..%2f..%2f..%2fetc%2fpasswd", "404"),
        ("/findings/0-0", "200"),
        ("/findings?page=99999999999999999999&kind=nonsense", "200"),
        ("/findings/<script>", "404"),
        ("/campaign.db", "404"),
    ] {
        assert_eq!(served.status(path, &host), status, "{path}");
    }
    assert_eq!(served.status("/", "Host: evil.example\r\n"), "403");
    assert_eq!(served.status("/", ""), "403");
    let post = served.ask(&format!("POST / HTTP/1.1\r\n{host}Content-Length: 0\r\n\r\n"));
    assert!(post.starts_with("HTTP/1.1 405"), "{post}");
    assert!(served.ask("nonsense\r\n\r\n").starts_with("HTTP/1.1 400"));
    let page = served.ask(&format!("GET / HTTP/1.1\r\n{host}\r\n"));
    assert!(page.contains("\r\nContent-Security-Policy: default-src 'none'; "), "{page}");

    machine.write("token", "0123456789abcdef0123\n");
    let served = Served::start(&machine, &["--token-file", "token"]);
    assert_eq!(served.status("/", "Host: a\r\n"), "403");
    assert_eq!(served.status("/?token=0123456789abcdef0123", "Host: a\r\n"), "303");
    assert_eq!(
        served.status("/", "Host: a\r\nCookie: whodunit-token=0123456789abcdef0123\r\n"),
        "200"
    );

    let refused = |args: &[&str], says: &[&str]| {
        machine.run(&[&["serve"], args].concat()).refuses(says);
    };
    let port = served.port.to_string();
    refused(&["--campaign", "c", "--port", &port], &["is in use", "--port"]);
    refused(&["--campaign", "programs"], &["is not a campaign"]);
    refused(&["--campaign", "c", "--address", "0.0.0.0"], &["--token-file"]);
    refused(&["--campaign", "c", "--token-file", "whodunit.toml"], &["at least 16"]);
    refused(&["--experiment", "programs"], &["runs.jsonl", "eval isolate"]);
}

/// Prints how long pages of a large campaign take: `cargo test --release -p whodunit --test pages -- --ignored
/// --nocapture large`.
#[test]
#[ignore = "makes a campaign of 100,000 programs, which takes a minute or two"]
fn a_large_campaign_is_shown_at_once() {
    let Some(machine) = machine() else { return };
    let small = store::Reader::open(&machine.path("c")).unwrap();
    let plan: serde_json::Value = small.plan().unwrap();
    let id: store::FindingId = "0-0".parse().unwrap();
    let (finding, program) =
        (small.finding(&id).unwrap().unwrap(), small.program(0).unwrap().unwrap());
    let stages = small.stages(&id).unwrap().rows;
    let large = store::Campaign::create_or_resume(&machine.path("large"), &plan).unwrap().campaign;
    for index in 0..100_000 {
        let row = store::ProgramRow { index, ..program.clone() };
        let is_finding = index % 20 == 0;
        let signature = format!("{} {}", finding.signature, index / 20 % 400);
        let found = store::FindingRow {
            ordinal: 0,
            kind: if index % 40 == 0 { "crash" } else { "wrong-code" }.to_owned(),
            signature: signature.clone(),
            body: finding.body.clone(),
        };
        large
            .commit_program(&row, if is_finding { std::slice::from_ref(&found) } else { &[] })
            .unwrap();
        for stage in stages.iter().filter(|_| is_finding) {
            let mut body = stage.body.clone();
            // 400 different bugs; only the first finding of each was looked into.
            if stage.stage != "triage" && index / 20 >= 400 {
                continue;
            }
            for place in ["/fingerprint/signature", "/report/signature"] {
                if let Some(text) = body.pointer_mut(place) {
                    *text = signature.clone().into();
                }
            }
            large
                .put_stage(&store::FindingId { program: index, ordinal: 0 }, &stage.stage, &body)
                .unwrap();
        }
    }
    drop(large);
    let start = std::time::Instant::now();
    let args = ["serve", "--campaign", "large", "--port", "0"];
    let served = Served::start_with(&machine, &args);
    println!("the first page after {:.1} s", start.elapsed().as_secs_f64());
    let host = format!("Host: 127.0.0.1:{}\r\n", served.port);
    for path in [
        "/",
        "/bugs",
        "/bugs?page=8",
        "/bugs/0-0",
        "/findings",
        "/findings?page=100",
        "/findings?kind=crash&page=40",
        "/findings/99980-0",
    ] {
        let mut times: Vec<f64> = (0..20)
            .map(|_| {
                let start = std::time::Instant::now();
                assert_eq!(served.status(path, &host), "200", "{path}");
                start.elapsed().as_secs_f64() * 1000.0
            })
            .collect();
        times.sort_by(f64::total_cmp);
        println!("{path}: median {:.1} ms, longest {:.1} ms", times[10], times[19]);
    }
}
