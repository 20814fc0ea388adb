%% Port: the crypto application of Erlang/OTP, hash_init, hash_update and hash_final.
-module(otp_crypto).
-behaviour(protocol).
-export([main/0, name/0, version/0, make/2, update/2, digest/1]).

main() ->
    case application:ensure_all_started(crypto) of
        {ok, _} -> protocol:serve(?MODULE);
        {error, Reason} ->
            io:format(standard_error, "~p~n", [Reason]),
            halt(1)
    end.

name() -> "erlang-crypto".

version() ->
    {ok, Version} = application:get_key(crypto, vsn),
    Version.

make(64, none) -> crypto:hash_init(blake2b);
make(_, none) -> {unsupported, "digests of 64 bytes only"};
make(_, _) -> {unsupported, "no keys: crypto:mac has HMAC"}.

update(State, Data) -> crypto:hash_update(State, Data).
digest(State) -> crypto:hash_final(State).
