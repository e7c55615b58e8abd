//! Pages that need nothing but a browser: no scripts, no network.

mod index;
mod page;

pub use index::{Summary, index};
pub use page::page;

/// A document with the given body.
fn document(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        escape(title),
        include_str!("style.css")
    )
}

/// Text as it is read, in an element or an attribute.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A kind as a coloured word.
fn badge(kind: &str) -> String {
    let known = crate::kind::kind(kind);
    format!(
        "<span class=\"badge {}\" title=\"{}\">{}</span>",
        known.level,
        escape(known.means),
        escape(kind)
    )
}

/// A table that becomes a list of cards on a narrow screen: each cell knows its column.
fn table(columns: &[&str], rows: &[Vec<String>]) -> String {
    let heads: String =
        columns.iter().map(|name| format!("<th scope=\"col\">{name}</th>")).collect();
    let mut text = format!("<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n");
    for row in rows {
        text.push_str("<tr>");
        for (name, cell) in columns.iter().zip(row) {
            text.push_str(&format!("<td data-column=\"{name}\"><div>{cell}</div></td>"));
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody>\n</table>\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_escapes_the_escape() {
        assert_eq!(escape("<a b=\"c\" d='e'>&"), "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;");
    }
}
