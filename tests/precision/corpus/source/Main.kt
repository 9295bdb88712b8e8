val a = "https://$host:${port}/x"
val b = "https://api.example.org/a^b"
val c = """{"url": "https://api.example.org/c"}"""
// [docs](https://docs.example.org/kt)
