# CryptX's digests and MACs, on LibTomCrypt: https://metacpan.org/pod/Crypt::Digest::BLAKE2b_512, https://metacpan.org/pod/Crypt::Mac::BLAKE2b

use strict;
use warnings;
use FindBin qw($Bin);
use lib $Bin;

use CryptX;
use Crypt::Digest;
use Crypt::Mac::BLAKE2b;
use Protocol qw(serve unsupported);

sub make {
    my (%params) = (size => 64, @_);
    return Crypt::Mac::BLAKE2b->new($params{size}, $params{key}) if exists $params{key};
    my $bits = 8 * $params{size};
    unsupported('without a key digests of 20, 32, 48 and 64 bytes') if $bits !~ /\A(?:160|256|384|512)\z/;
    return Crypt::Digest->new("BLAKE2b_$bits");
}

sub digest {
    my ($state) = @_;
    return $state->isa('Crypt::Mac') ? $state->mac : $state->digest;
}

serve(
    name    => 'cryptx',
    version => $CryptX::VERSION,
    keys    => ['size', 'key'],
    make    => \&make,
    update  => 'add',
    digest  => \&digest,
    reset   => 'reset',
    clone   => 'clone',
);
