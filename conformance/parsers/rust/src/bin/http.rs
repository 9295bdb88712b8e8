// The crate http: Uri, for the targets of HTTP requests.
use std::io::{self, BufRead, Write};

fn main() {
    for line in io::stdin().lock().lines() {
        let asked: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
        let answer = match asked["text"].as_str().unwrap().parse::<http::Uri>() {
            Ok(found) if asked["rule"] != "URI" || found.scheme().is_some() => {
                serde_json::json!({ "valid": true, "host": found.host() })
            }
            _ => serde_json::json!({ "valid": false }),
        };
        println!("{}", answer);
        io::stdout().flush().unwrap();
    }
}
