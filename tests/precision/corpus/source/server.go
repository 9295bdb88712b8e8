package main

// Package main serves https://api.example.org/v1 (see RFC 9110).
const spec = "https://api.example.org/v1/{id}/items/{item}"
const bad = "https://docs.example.org/a#b#c"
var u = "https://api.example.org/" + host + "/x y"
var v = fmt.Sprintf("%s://%s:%d%s", scheme, host, port, path)
var w = "http://[::1/x"
