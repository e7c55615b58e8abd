//! Comments and empty lines.

use crate::Change;
use crate::ir::module::Module;
use base::Edit;

/// Strips comments, empty lines, and space at the ends of lines.
pub(super) fn strip(module: &Module) -> Vec<Change> {
    let text = module.source.text;
    let tokens = module.source.tokens.iter().map(|token| token.range.clone());
    let ends = std::iter::once(0).chain(tokens.clone().map(|token| token.end));
    let starts = tokens.map(|token| token.start).chain(std::iter::once(text.len()));
    ends.zip(starts)
        .filter_map(|(from, to)| {
            let newline = from + text[from..to].iter().rposition(|byte| *byte == b'\n')?;
            // At the beginning even the newline has nothing to end.
            let last = if from == 0 { newline + 1 } else { newline };
            (from < last).then(|| vec![Edit::delete(from..last)])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::all;

    #[test]
    fn only_tokens_stay() {
        let text = "; RUN\n\n@s = global [2 x i8] c\";\n\" ; s\n  \n@t = global i8 0\n";
        let expect = "@s = global [2 x i8] c\";\n\"\n@t = global i8 0\n";
        assert_eq!(all("strip comments and blank lines", text), expect);
    }
}
