//! A browser without a window, driven by WebDriver.

use super::support;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Chromium, until it is dropped.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

impl Browser {
    /// Nothing, and a word on standard error, when Chromium or its driver is not installed.
    pub fn start() -> Option<Browser> {
        let (Some(driver), Some(_)) =
            (support::installed("chromedriver"), support::installed("chromium"))
        else {
            eprintln!("not tested: chromium and chromium-driver are not installed");
            return None;
        };
        let mut child = Command::new(driver)
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // It says which port it took: "... was started successfully on port 12345."
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let said = lines.find(|line| line.contains("successfully on port")).unwrap();
        let digits: String = said.chars().filter(char::is_ascii_digit).collect();
        let mut browser =
            Browser { driver: child, port: digits.parse().unwrap(), session: String::new() };
        // It goes on talking; nobody listening would end it.
        std::thread::spawn(move || lines.for_each(drop));
        let options = json!({
            "args": ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
        });
        let always = json!({
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": { "browser": "ALL" },
        });
        let made = browser.post("/session", &json!({ "capabilities": { "alwaysMatch": always } }));
        browser.session = made["sessionId"].as_str().unwrap().to_owned();
        Some(browser)
    }

    /// Asks the driver, and gives the value of its answer.
    #[track_caller]
    fn post(&self, path: &str, body: &Value) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let body = body.to_string();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
             Connection: close\r\nContent-Length: {}\r\n\r\n",
            self.port,
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body.as_bytes()).unwrap();
        let (status, answer) = answered(stream);
        let value: Value = serde_json::from_slice(&answer).unwrap();
        assert!(status.contains(" 200 "), "{path}: {status}{value}");
        value["value"].clone()
    }

    fn of_session(&self, path: &str) -> String {
        format!("/session/{}{path}", self.session)
    }

    /// Opens a page.
    #[track_caller]
    pub fn open(&self, url: &str) {
        self.post(&self.of_session("/url"), &json!({ "url": url }));
    }

    /// What a script returns.
    #[track_caller]
    pub fn run(&self, script: &str) -> Value {
        self.post(&self.of_session("/execute/sync"), &json!({ "script": script, "args": [] }))
    }

    /// What a script's promise becomes.
    #[track_caller]
    pub fn wait_for(&self, promise: &str) -> Value {
        let script = format!(
            "const done = arguments[0]; ({promise}).then(done, error => done(String(error)));"
        );
        self.post(&self.of_session("/execute/async"), &json!({ "script": script, "args": [] }))
    }

    /// The width of the window.
    pub fn resize(&self, width: u32) {
        let command = json!({
            "cmd": "Emulation.setDeviceMetricsOverride",
            "params": { "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600 },
        });
        self.post(&self.of_session("/goog/cdp/execute"), &command);
    }

    /// Lets pages read what was copied.
    pub fn permit_clipboard(&self) {
        let command = json!({
            "cmd": "Browser.grantPermissions",
            "params": { "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] },
        });
        self.post(&self.of_session("/goog/cdp/execute"), &command);
    }

    /// What the pages complained about since the last call.
    pub fn complaints(&self) -> Vec<String> {
        let log = self.post(&self.of_session("/se/log"), &json!({ "type": "browser" }));
        log.as_array().unwrap().iter().map(Value::to_string).collect()
    }
}

/// The first line of an answer, and its body. The driver does not close the connection.
fn answered(stream: TcpStream) -> (String, Vec<u8>) {
    stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    let mut stream = BufReader::new(stream);
    let (mut status, mut line) = (String::new(), String::new());
    stream.read_line(&mut status).unwrap();
    let mut length = 0;
    while line != "\r\n" {
        line.clear();
        stream.read_line(&mut line).unwrap();
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).unwrap();
    (status, body)
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty()
            && let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port))
        {
            let path = self.of_session("");
            let asked = write!(stream, "DELETE {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
            if asked.is_ok() && !std::thread::panicking() {
                answered(stream);
            }
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
