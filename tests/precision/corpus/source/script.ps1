# https://docs.example.org/ps1
$a = "https://$($env:HOST)/$path"
Invoke-WebRequest -Uri 'https://api.example.org/a'
$b = 'https://api.example.org/#a#b'
