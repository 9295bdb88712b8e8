local link = T("https://code.example.org/%1/blob/%2#L%3", name, commit, line)
local broken = "https://code.example.org/a/100%z/b"
