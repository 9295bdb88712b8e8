let a = "https://api.example.org/a"
let b = "https://\(host)/\(path)"
let c = "https://api.example.org/\u{e9}"
/// - See: https://docs.example.org/swift.
