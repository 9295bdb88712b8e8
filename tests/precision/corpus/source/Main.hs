-- | <https://docs.example.org/hs the docs>
a = "https://api.example.org/a" ++ b
{- "Text" https://docs.example.org/hs2 -}
c = "https://api.example.org/#a#b"
