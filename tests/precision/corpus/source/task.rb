# https://docs.example.org/rb.
a = 'https://api.example.org/a'
b = "https://#{host}:#{port}/#{path}"
c = %r{\Ahttps?://[^/]+}
d = "https://#{host}/a^b"
e = 'https://api.example.org/#a#b'
f = "https://%{host}/%<id>d"
