//! <https://docs.example.org/lib>
/// [x]: https://docs.example.org/x
const A: &str = "https://api.example.org/a";
let b = format!("https://{}:{}/{name}/{0:?}", h, p);
let c = r"https://api.example.org/c";
let d = "https://api.example.org/\u{e9}";
let e = "https://api.example.org/a^b";
let f = r#"<a href="https://api.example.org/f">"#;
