# https://docs.example.org/pl.
my $a = "https://$host/@{[ $x ]}/$h->{id}";
my $b = 'https://api.example.org/b';
s{^https?://}{};
my $c = "https://api.example.org/%yy";
=pod

L<https://docs.example.org/pod> L<the page|https://docs.example.org/p>

=cut
