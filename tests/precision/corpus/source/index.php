<?php
// https://docs.example.org/php
$a = 'https://api.example.org/a';
$b = "https://$host/{$path}/${name}/$row[id]";
$c = 'https://api.example.org/' . $id;
$d = 'https://api.example.org/?a[]=1';
$e = sprintf('https://%1$s/%2$s', $x, $y);
$f = preg_match('#^https?://(.*?)$#i', $s);
$g = "https://$this->host/x";
?>
<a href="https://www.example.org/page">x</a>
