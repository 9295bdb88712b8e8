# Regexp::Common: $RE{URI}, for a list of schemes, after RFC 2396.
use strict;
use warnings;
use JSON;
use Regexp::Common qw(URI);

$| = 1;
while (my $line = <STDIN>) {
    my $asked = decode_json($line);
    my $valid = $asked->{text} =~ /\A$RE{URI}\z/ ? JSON::true : JSON::false;
    print encode_json({ valid => $asked->{rule} eq "URI" ? $valid : undef }), "\n";
}
