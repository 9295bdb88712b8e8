assert_match(%r(http://assets[0123]\.example\.org/x), url)
puts "https://www.example.org/a b.png"
