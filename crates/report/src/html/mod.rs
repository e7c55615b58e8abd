//! Pages that need nothing but a browser: no network, and no script but one that copies and unfolds.

mod campaign;
mod highlight;
mod page;

pub use campaign::{Summary, bug_table, campaign_page, numbers, timeline, version_matrix};
pub use page::{Place, bug_sections, page};

/// What all pages look like.
pub const STYLE: &str = include_str!("style.css");

/// What all pages do.
pub const SCRIPT: &str = include_str!("script.js");

/// Where a page has its style and script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Assets {
    /// In itself.
    Inside,
    /// On a server, as `/style.css` and `/script.js`; a page that is live is told of changes by `/events`.
    Served {
        /// Does it change while it is looked at?
        live: bool,
    },
}

/// A document with the given body.
#[must_use]
pub fn document(title: &str, body: &str, assets: Assets) -> String {
    let (head, attributes, end) = match assets {
        Assets::Inside => {
            // Nothing that hostile text might become could load or send anything.
            let policy =
                "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";
            let head = format!(
                "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n<style>\n{STYLE}</style>\n"
            );
            (head, "", format!("<script>\n{SCRIPT}</script>\n"))
        }
        Assets::Served { live } => {
            let head = "<link rel=\"stylesheet\" href=\"/style.css\">\n\
                        <link rel=\"icon\" href=\"/icon.svg\">\n"
                .to_owned();
            let end = "<script src=\"/script.js\"></script>\n".to_owned();
            (head, if live { " data-events" } else { "" }, end)
        }
    };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n{head}</head>\n<body{attributes}>\n{body}{end}</body>\n</html>\n",
        escape(title),
    )
}

/// Text as it is read, in an element or an attribute.
#[must_use]
pub fn escape(text: &str) -> String {
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
#[must_use]
pub fn badge(kind: &str) -> String {
    let known = crate::kind::kind(kind);
    format!(
        "<span class=\"badge {}\" title=\"{}\">{}</span>",
        known.level,
        escape(known.means),
        escape(kind)
    )
}

/// A table that becomes a list of cards on a narrow screen: each cell knows its column. Cells are markup.
#[must_use]
pub fn table(columns: &[&str], rows: &[Vec<String>]) -> String {
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

/// A number with a narrow space before every three digits.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// Names and what belongs to them; values are markup.
#[must_use]
pub fn definitions(rows: &[(&str, String)]) -> String {
    let rows: String =
        rows.iter().map(|(name, value)| format!("<dt>{name}</dt><dd>{value}</dd>\n")).collect();
    format!("<dl class=\"facts\">\n{rows}</dl>\n")
}

/// A picture between the text, as wide as there is room.
#[must_use]
pub fn figure(svg: &str, caption: &str) -> String {
    format!("<figure>\n{svg}<figcaption>{}</figcaption>\n</figure>\n", escape(caption))
}

/// A text to be taken along, with a button that copies it. `id` must be that of no other element.
#[must_use]
pub fn copyable(id: &str, text: &str) -> String {
    let id = escape(id);
    format!(
        "<div class=\"copyable\"><button type=\"button\" data-copy=\"{id}\">Copy</button>\n\
         <pre id=\"{id}\">{}</pre></div>\n",
        escape(text.trim_end())
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_escapes_the_escape() {
        assert_eq!(escape("<a b=\"c\" d='e'>&"), "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;");
    }
}
