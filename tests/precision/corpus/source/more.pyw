A = "^https://[A-Za-z0-9][^\\s]*$"
B = "s3://[a-z0-9][.a-z0-9]{1,61}(/.*)?"
C = "cfg://handlers[0]"
D = "https://测试.example.org/"
E = "x=udp://tracker.example.org:80&tr=udp://other.example.org:6969"
F = "http://127.0.0.1::80"
G = "http://[fe80::1%251]/"
H = "\x1b]8;;http://www.example.org\x07text"
I = "https://www.example.org/100%/x"
J = "“https://www.example.org/q”, it says"
# <https://docs.example.org/x the docs>
# https://ru.example.org/wiki/Кавычки
# https://docs.example.org/#text=#text=x
# https://docs.example.org/$1/$2
