-- https://docs.example.org/lua.
local a = "https://api.example.org/a"
local b = [[https://api.example.org/b]]
local c = "https://" .. host
local d = 'https://api.example.org/#a#b'
local e = s:match("^https?://([^/]+)")
