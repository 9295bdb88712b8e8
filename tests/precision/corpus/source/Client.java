/** See <a href="https://docs.example.org/java">the page</a>. */
/** See <a href="https://docs.example.org/java#a#b">it</a>. */
// https://docs.example.org/java#m(int)
String a = "https://api.example.org/a";
String b = "https://api.example.org/" + id + "/x";
String c = String.format("https://%s/%s/%d", x, y, 1);
String d = "https://api.example.org/\u00fc";
String e = "jdbc:oracle:thin:@//db.example.org:1521/x";
String f = "https://api.example.org/?a[0]=1";
@RequestMapping("/a/{id}")
String g = "https://{0}/x";
