// See https://pkg.example.org/main.
import "example.org/x/y"
const a = "https://api.example.org/a"
var b = `https://api.example.org/a\b`
u := fmt.Sprintf("https://%s:%d/%v/%+v/%q", h, p, v, w, q)
var re = regexp.MustCompile(`^https?://[^\s/]+`)
var d = "https://api.example.org/%yy"
var e = "http://api.example.org:80:80/"
