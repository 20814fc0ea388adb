# The line protocol of blake2btest (subprocess/PROTOCOL.md), for Perl's ports.

package Protocol;

use strict;
use warnings;
use English qw(-no_match_vars);
use Exporter qw(import);

our @EXPORT_OK = qw(serve unsupported);

use constant {
    LINE  => 1 << 20,    # bytes in a request
    PIECE => 1 << 27,    # bytes in one call of update
};

# Dies for what the port has no way to be asked.
sub unsupported {
    my ($message) = @_;
    die bless { message => $message }, 'Protocol::Unsupported';
}

# Answers requests until the input ends. The arguments are
#
# name, version: of the port
# keys: those that it has, among size, key, salt and person
# make: given the keys that are in the request, returns a state
# update, digest: methods of the state, by name or reference
# reset, clone: the same, if the port's API has them
# limit: bytes in a message
sub serve {
    my %port = (limit => 1 << 33, @_);
    $port{name} = $ENV{ADAPTER_NAME} || $port{name};
    binmode STDIN;
    binmode STDOUT;
    STDOUT->autoflush(1);
    while (defined(my $line = readline STDIN)) {
        my $text = eval { join q{ }, 'ok', answer($line, \%port) };
        if (!defined $text) {
            my $error = $EVAL_ERROR;
            $text =
                ref $error && $error->isa('Protocol::Unsupported')
                ? 'unsupported ' . printable($error->{message})
                : 'error ' . printable($error);
        }
        print "$text\n";
    }
    return;
}

sub printable {
    my ($message) = @_;
    $message =~ s/ at \S+ line \d+.*//s;
    $message =~ s/\n\z//;
    $message =~ s/[^ -~]/?/g;
    return substr $message, 0, 200;
}

# Returns the words of the answer.
sub answer {
    my ($line, $port) = @_;
    die 'line of more than ' . LINE . ' bytes' if length $line > LINE + length "\r\n";
    $line =~ s/\r?\n\z//;
    die 'empty line' if $line eq q{};
    my ($verb, @pairs) = split / /, $line, -1;
    my @steps;
    my ($colon) = grep { $pairs[$_] eq q{:} } 0 .. $#pairs;
    if (defined $colon) {
        (undef, @steps) = splice @pairs, $colon;
    }
    if ($verb eq 'about') {
        parse_keys(\@pairs, []);
        die 'about takes no steps' if defined $colon;
        return "name=$port->{name}", "version=$port->{version}", 'protocol=1';
    }
    unsupported("verb $verb") if $verb ne 'sum';
    my %params = parse_keys(\@pairs, $port->{keys});
    return sum($port, \%params, map { parse_step($_) } @steps);
}

sub parse_keys {
    my ($pairs, $keys) = @_;
    my %given;
    for my $pair (@{$pairs}) {
        my ($key, $value) = split /=/, $pair, 2;
        die "'$pair' is not key=value" if !defined $value;
        die "key $key given twice"     if exists $given{$key};
        unsupported("key $key")        if !grep { $_ eq $key } @{$keys};
        $given{$key} = $key eq 'size' ? parse_number($value, (1 << 32) - 1) : parse_hex($value);
    }
    return %given;
}

sub parse_number {
    my ($digits, $max) = @_;
    die "'$digits' is not a decimal number" if $digits !~ /\A(?:0|[1-9][0-9]*)\z/;
    die "$digits is above $max"             if length $digits > 18 || $digits > $max;
    return $digits + 0;
}

sub parse_hex {
    my ($digits) = @_;
    die "'$digits' is not hex in lower case" if $digits !~ /\A(?:[0-9a-f]{2})*\z/;
    return pack 'H*', $digits;
}

# Returns bytes and how often to write them, or the step's name and 0.
sub parse_step {
    my ($word) = @_;
    return [$word, 0] if $word =~ /[g-z]/i;
    return [q{}, 1]   if $word eq q{-};
    my ($digits, $count) = split /[*]/, $word, 2;
    my $data  = parse_hex($digits // q{});
    my $times = defined $count ? parse_number($count, 999_999_999_999_999_999) : 1;
    die "'$word' writes nothing: no bytes are -" if $data eq q{} || !$times;
    return [$data, $times];
}

sub sum {
    my ($port, $params, @steps) = @_;
    my ($update, $digest, $reset, $clone) = @{$port}{qw(update digest reset clone)};
    my ($state, $aside, @digests) = ($port->{make}->(%{$params}));
    my $total = 0;
    for (@steps, ['sum', 0]) {
        my ($step, $times) = @{$_};
        if ($times) {
            $total += $times * length $step;
            unsupported("a message above $port->{limit} bytes") if $total > $port->{limit};
            write_times($state, $update, $step, $times);
        }
        elsif ($step eq 'sum') {
            my $bytes = $state->$digest();
            die 'a digest of no bytes' if $bytes eq q{};
            push @digests, unpack 'H*', $bytes;
        }
        elsif ($step eq 'new') { $aside = $port->{make}->(%{$params}) }
        elsif ($step eq 'swap') {
            die 'swap with no state aside' if !$aside;
            ($state, $aside) = ($aside, $state);
        }
        elsif ($step eq 'reset' && $reset) { $state->$reset() }
        elsif ($step eq 'clone' && $clone) { $aside = $state->$clone() }
        else                               { unsupported("step $step") }
    }
    return @digests;
}

sub write_times {
    my ($state, $update, $data, $times) = @_;
    my $whole = int(PIECE / (length $data || 1)) || 1;
    if ($times > $whole) {
        my $piece = $data x $whole;
        for (; $times > $whole; $times -= $whole) {
            $state->$update($piece);
        }
    }
    $state->$update($data x $times);
    return;
}

1;
