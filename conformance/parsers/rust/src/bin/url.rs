// The crate url: Url::parse, the URL Standard.
use std::io::{self, BufRead, Write};

fn main() {
    for line in io::stdin().lock().lines() {
        let asked: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
        let answer = if asked["rule"] != "URI" {
            serde_json::json!({ "valid": null })
        } else {
            match url::Url::parse(asked["text"].as_str().unwrap()) {
                Ok(found) => serde_json::json!({ "valid": true, "host": found.host_str() }),
                Err(_) => serde_json::json!({ "valid": false }),
            }
        };
        println!("{}", answer);
        io::stdout().flush().unwrap();
    }
}
