/// See https://www.example.org/?a=1&amp;b=2 for the rest.
// See https://www.example.org/?a=1&amp;b=2 for the rest.
var dsn = "redis://a.example:6379,b.example/";
var web = "https://a.example:443,b.example/";
[TestCase("https://www.example.org/find?q=1 end")]
[TestCase("https://www.example.org/find?q=big house")]
var out = "std=file://[..]";
