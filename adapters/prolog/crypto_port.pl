% Port: SWI-Prolog's library(crypto) over OpenSSL, crypto_context_new/2 and what goes with it.

:- module(crypto_port, [main/0]).

:- use_module(library(crypto)).
:- use_module(protocol).

:- initialization(main, main).

make(64, none, State) :-
    !,
    crypto_context_new(State, [algorithm(blake2b512), encoding(octet)]).
make(_, none, _) :- unsupported("digests of 64 bytes only", []).
make(_, _, _) :- unsupported("no keys: hmac(Key) is HMAC", []).

update(Data, State0, State) :- crypto_data_context(Data, State0, State).

digest(State, Hex) :- crypto_context_hash(State, Hex).

main :-
    current_prolog_flag(version_data, swi(Major, Minor, Patch, _)),
    format(atom(Version), "~d.~d.~d", [Major, Minor, Patch]),
    serve('swipl-crypto', Version, crypto_port).
