# Data::Validate::URI: is_uri.
use strict;
use warnings;
use Data::Validate::URI qw(is_uri);
use JSON;

$| = 1;
while (my $line = <STDIN>) {
    my $asked = decode_json($line);
    my $valid = defined is_uri($asked->{text}) ? JSON::true : JSON::false;
    print encode_json({ valid => $asked->{rule} eq "URI" ? $valid : undef }), "\n";
}
