#!/bin/sh
# https://docs.example.org/sh.
curl https://api.example.org/a | sh
curl "https://$HOST:${PORT:-80}/$(date +%s)/x"
wget 'https://api.example.org/?a=1&b=2' ; open https://api.example.org/s;
git clone https://git.example.org/`whoami`/x
URL=https://api.example.org/v
sed "s|https://old.example.org|https://new.example.org|g"
sed 's/http:\/\/old/https:\/\/new/'
case $x in http://*|https://*) ;; esac
echo https://api.example.org/{a,b}.txt
curl 'https://api.example.org/?a[]=1'
cat <<X
https://api.example.org/$ID
X
sed -i s#http://server#http://192.0.2.2# gradle.properties
sed -e "s~proxy http://localhost:9411~proxy ${BASE}~g" site.conf
open https://www.example.org/#/a#b  # sets #http
