static const char *a = "http://www.example.org/r\xc3\xa9sum\xc3\xa9";
static const char *b = "http://www.example.org/\303\251 x.png";
static const char *c = "http://www.example.org/50%2";
static const char *d = "http://[::%31]/";
