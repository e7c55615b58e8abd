//! The few elements of SVG that plots are made of.

use std::fmt::Write;

/// The size of letters. Plots are 560 wide: in a column of a paper (8.5 cm) that makes 6.9 points.
pub(super) const FONT: f64 = 16.0;
/// The size of what is less important.
pub(super) const SMALL: f64 = 13.0;

/// Where a text has its given x.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A picture that is being drawn.
#[derive(Default)]
pub(super) struct Svg {
    body: String,
}

impl Svg {
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), style: &str) {
        let ((x1, y1), (x2, y2)) = (number_pair(from), number_pair(to));
        self.push(&format!(r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" {style}/>"#));
    }

    pub fn rectangle(&mut self, corner: (f64, f64), size: (f64, f64), style: &str) {
        let ((x, y), (width, height)) = (number_pair(corner), number_pair(size));
        self.push(&format!(r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" {style}/>"#));
    }

    pub fn circle(&mut self, (x, y): (f64, f64), radius: f64, style: &str) {
        let ((x, y), r) = (number_pair((x, y)), number(radius));
        self.push(&format!(r#"<circle cx="{x}" cy="{y}" r="{r}" {style}/>"#));
    }

    /// A line through points.
    pub fn polyline(&mut self, points: &[(f64, f64)], style: &str) {
        self.through("polyline", points, style);
    }

    /// An area between points.
    pub fn polygon(&mut self, points: &[(f64, f64)], style: &str) {
        self.through("polygon", points, style);
    }

    fn through(&mut self, element: &str, points: &[(f64, f64)], style: &str) {
        let mut list = String::new();
        for point in points {
            let (x, y) = number_pair(*point);
            let _ = write!(list, "{}{x},{y}", if list.is_empty() { "" } else { " " });
        }
        self.push(&format!(r#"<{element} points="{list}" {style}/>"#));
    }

    /// A text, shortened to `columns`; whoever points at it sees the whole.
    pub fn text(&mut self, at: (f64, f64), anchor: Anchor, size: f64, columns: usize, text: &str) {
        self.turned_text(at, anchor, size, columns, text, "");
    }

    /// A text that is read from below.
    pub fn upward_text(&mut self, at: (f64, f64), columns: usize, text: &str) {
        let (x, y) = number_pair(at);
        let turn = format!(r#" transform="rotate(-90 {x} {y})""#);
        self.turned_text(at, Anchor::Middle, FONT, columns, text, &turn);
    }

    fn turned_text(
        &mut self,
        at: (f64, f64),
        anchor: Anchor,
        size: f64,
        columns: usize,
        text: &str,
        turn: &str,
    ) {
        let ((x, y), size) = (number_pair(at), number(size));
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let short = shortened(text, columns);
        let title =
            if short == text { String::new() } else { format!("<title>{}</title>", escaped(text)) };
        self.push(&format!(
            r#"<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}"{turn}>{}{title}</text>"#,
            escaped(&short)
        ));
    }

    /// The whole picture, on white.
    pub fn finish(self, width: f64, height: f64) -> String {
        let ((w, h), size) = (number_pair((width, height)), number(FONT));
        format!(
            concat!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" "#,
                r#"font-family="Helvetica, Arial, sans-serif" font-size="{size}" fill="black">"#,
                "\n<rect width=\"{w}\" height=\"{h}\" fill=\"white\"/>\n{body}</svg>\n"
            ),
            w = w,
            h = h,
            size = size,
            body = self.body
        )
    }

    fn push(&mut self, element: &str) {
        self.body.push_str(element);
        self.body.push('\n');
    }
}

/// About how wide a text is at a size. Fonts differ; this is rather too wide than too narrow.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(columns_of).sum::<f64>() * 0.6 * size
}

/// Letters beyond the Latin, Greek and Cyrillic ones may be twice as wide.
fn columns_of(letter: char) -> f64 {
    if letter < '\u{1100}' { 1.0 } else { 1.8 }
}

/// At most as wide as `columns` letters; what is cut off is an ellipsis.
pub(super) fn shortened(text: &str, columns: usize) -> String {
    let columns = columns as f64;
    if text.chars().map(columns_of).sum::<f64>() <= columns {
        return text.to_owned();
    }
    let mut used = 1.0;
    let fits = |letter: &char| {
        used += columns_of(*letter);
        used <= columns
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

/// Two decimals are a hundredth of a pixel; more would only be noise between machines.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn number_pair((x, y): (f64, f64)) -> (String, String) {
    (number(x), number(y))
}

/// Text as XML may hold it. What XML 1.0 has no way to write (most control characters) becomes �.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_stays_text() {
        assert_eq!(escaped("<a b=\"c\">&'\u{1}"), "&lt;a b=&quot;c&quot;&gt;&amp;&#39;\u{fffd}");
    }

    #[test]
    fn long_text_is_cut_and_its_title_has_the_whole() {
        assert_eq!(shortened("abcdef", 6), "abcdef");
        assert_eq!(shortened("abcdefg", 6), "abcde…");
        assert_eq!(shortened("名前名前", 4), "名…");
        let mut svg = Svg::default();
        svg.text((0.0, 0.0), Anchor::Start, FONT, 3, "a<bcd");
        assert!(svg.body.contains(">a&lt;…<title>a&lt;bcd</title></text>"), "{}", svg.body);
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            ["1.5", "100", "0", "-2.35"],
            [1.5, 100.0, -0.001, -2.346].map(number).each_ref().map(String::as_str)
        );
    }
}
