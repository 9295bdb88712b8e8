# Perl's URI, which parses and does not promise to validate.
use strict;
use warnings;
use JSON;
use URI;

$| = 1;
while (my $line = <STDIN>) {
    my $asked = decode_json($line);
    my $found = eval { URI->new($asked->{text}) };
    my $host = $found && $found->can("host") ? eval { $found->host } : undef;
    my $valid = $found && (defined $found->scheme || $asked->{rule} ne "URI");
    print encode_json({ valid => $valid ? JSON::true : JSON::false, host => $host }), "\n";
}
