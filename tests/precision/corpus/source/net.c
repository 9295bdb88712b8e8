/* <https://www.example.org/c> */
// see https://www.example.org/cpp,
#define URL "https://www.example.org/macro"
printf("https://%s:%d/%s\n", host, port, path);
const char *a = "https://www.example.org/#a#b";
const char *b = "https://www.example.org/" PATH "/x y";
const char *c = "https://www.example.org/a\0";
const char *d = "http://localhost:%zu/%5.2f";
const char *e = "https://www.example.org/a^b";
