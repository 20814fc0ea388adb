# CryptX 0.077: a second MAC is empty, and the method reset that the documentation has is missing.
# $ perl perl/cryptx.pl
use strict;
use warnings;
use Crypt::Mac::BLAKE2b;

my $mac = Crypt::Mac::BLAKE2b->new(8, 'key')->add('a');
my $first = $mac->hexmac;
print "a second MAC\n";
print "got  '", $mac->hexmac, "'\n";
print "want '$first', or an error\n";

print "reset\n";
eval { Crypt::Mac::BLAKE2b->new(8, 'key')->reset } or print "got  ", $@ =~ s/ at .*//sr, "\n";
print "want no error\n";
