%% The line protocol of blake2btest: reads requests, takes their steps, answers.
%% It is described in subprocess/PROTOCOL.md.
-module(protocol).
-export([serve/1]).

%% A port is a module with these. States are values: an update leaves the old
%% state as it was, so a clone is the same state kept, and a digest ends nothing.
-callback name() -> iodata().
-callback version() -> iodata().
-callback make(Size :: non_neg_integer(), Key :: none | binary()) ->
    State :: term() | {unsupported, iodata()}.
-callback update(State :: term(), Data :: binary()) -> State :: term().
-callback digest(State :: term()) -> binary().

-define(LONGEST_LINE, (1 bsl 20)).
-define(LONGEST_WRITE, (1 bsl 27)).
-define(LONGEST_MESSAGE, (1 bsl 33)).

serve(Module) ->
    Name = os:getenv("ADAPTER_NAME", Module:name()),
    About = ["name=", Name, " version=", Module:version(), " protocol=1"],
    Stdio = open_port({fd, 0, 1}, [binary, eof, {line, ?LONGEST_LINE + 2}]),
    loop(Stdio, fun(Line) -> answer_line(Module, About, Line) end).

loop(Stdio, Answer) ->
    case read_line(Stdio) of
        eof -> halt(0);
        Line ->
            port_command(Stdio, [Answer(Line), $\n]),
            loop(Stdio, Answer)
    end.

%% Of a line that is too long, the rest is dropped.
read_line(Stdio) ->
    receive
        {Stdio, {data, {eol, Line}}} -> Line;
        {Stdio, {data, {noeol, Part}}} ->
            case read_line(Stdio) of
                eof -> self() ! {Stdio, eof};
                _ -> ok
            end,
            Part;
        {Stdio, eof} -> eof
    end.

answer_line(Module, About, Line) ->
    try answer(Module, string:trim(Line, trailing, "\r")) of
        about -> ["ok ", About];
        Digests -> lists:join($\s, ["ok" | Digests])
    catch
        throw:{unsupported, Text} -> ["unsupported ", printable(Text)];
        throw:{invalid, Text} -> ["error ", printable(Text)];
        _:Reason -> ["error ", printable(io_lib:format("~0p", [Reason]))]
    end.

printable(Text) ->
    [case C of _ when C >= $\s, C =< $~ -> C; _ -> $? end || <<C>> <= iolist_to_binary(Text)].

unsupported(Format, Args) -> throw({unsupported, io_lib:format(Format, Args)}).
invalid(Format, Args) -> throw({invalid, io_lib:format(Format, Args)}).

answer(_, Line) when byte_size(Line) > ?LONGEST_LINE -> invalid("line above ~b bytes", [?LONGEST_LINE]);
answer(_, <<>>) -> invalid("empty line", []);
answer(Module, Line) ->
    case binary:split(Line, <<" ">>, [global]) of
        [<<"sum">> | Words] ->
            {Parameters, Steps} = parameters(Words, #{}),
            check_swaps(Steps, false),
            check_length(Steps),
            run(Module, Parameters, Steps);
        [<<"about">>] -> about;
        [<<"about">>, <<":">> | _] -> invalid("about takes no steps", []);
        [<<"about">> | _] -> unsupported("about takes no keys", []);
        [Verb | _] -> unsupported("verb \"~s\"", [Verb])
    end.

%% Words

parameters([], Given) -> {Given, []};
parameters([<<":">> | Words], Given) -> {Given, lists:map(fun step/1, Words)};
parameters([Word | Words], Given) ->
    case binary:split(Word, <<"=">>) of
        [Key, _] when is_map_key(Key, Given) -> invalid("key \"~s\" given twice", [Key]);
        [<<"size">> = Key, Value] ->
            Size = number(Key, Value),
            Size < 1 bsl 32 orelse invalid("size: ~b is above 2^32-1", [Size]),
            parameters(Words, Given#{Key => Size});
        [<<"key">> = Key, Value] -> parameters(Words, Given#{Key => bytes(Key, Value)});
        [Key, _] -> unsupported("key \"~s\"", [Key]);
        [_] -> invalid("word \"~s\" is not key=value", [Word])
    end.

step(<<"sum">>) -> sum;
step(<<"new">>) -> new;
step(<<"clone">>) -> clone;
step(<<"swap">>) -> swap;
step(<<"-">>) -> {write, <<>>, 1};
step(<<>>) -> invalid("an empty word", []);
step(Word) ->
    matches(Word, "[g-z]") andalso unsupported("step \"~s\"", [Word]),
    case binary:split(Word, <<"*">>) of
        [Digits] -> {write, bytes("write", Digits), 1};
        [Digits, Times] ->
            Data = bytes("write", Digits),
            Count = number("write count", Times),
            byte_size(Data) * Count > 0 orelse invalid("write of no bytes has a count", []),
            {write, Data, Count}
    end.

matches(Word, Regexp) -> re:run(Word, Regexp, [{capture, none}]) =:= match.

number(What, Word) ->
    matches(Word, "^(0|[1-9][0-9]*)$") orelse invalid("~s: \"~s\" is not a decimal number", [What, Word]),
    binary_to_integer(Word).

bytes(What, Word) ->
    matches(Word, "[^0-9a-f]") andalso invalid("~s: \"~s\" is not hex in lower case", [What, Word]),
    byte_size(Word) rem 2 =:= 0 orelse invalid("~s: \"~s\" has an odd number of digits", [What, Word]),
    binary:decode_hex(Word).

check_swaps([swap | _], false) -> invalid("swap with no state aside", []);
check_swaps([Step | Steps], Aside) -> check_swaps(Steps, Aside orelse Step =:= new orelse Step =:= clone);
check_swaps([], _) -> ok.

check_length(Steps) ->
    Length = lists:sum([byte_size(Data) * Count || {write, Data, Count} <- Steps]),
    Length =< ?LONGEST_MESSAGE orelse unsupported("a message above ~b bytes", [?LONGEST_MESSAGE]).

%% Steps

run(Module, Parameters, Steps) ->
    New = fun() ->
        case Module:make(maps:get(<<"size">>, Parameters, 64), maps:get(<<"key">>, Parameters, none)) of
            {unsupported, Text} -> unsupported(Text, []);
            State -> State
        end
    end,
    steps(Steps, New(), none, Module, New).

steps([], State, _, Module, _) -> [hex(Module:digest(State))];
steps([sum | Steps], State, Aside, Module, New) ->
    Digest = hex(Module:digest(State)),
    [Digest | steps(Steps, State, Aside, Module, New)];
steps([new | Steps], State, _, Module, New) -> steps(Steps, State, New(), Module, New);
steps([clone | Steps], State, _, Module, New) -> steps(Steps, State, State, Module, New);
steps([swap | Steps], State, Aside, Module, New) -> steps(Steps, Aside, State, Module, New);
steps([{write, Data, Count} | Steps], State, Aside, Module, New) ->
    Most = max(1, ?LONGEST_WRITE div max(1, byte_size(Data))),
    steps(Steps, feed(Module, State, Data, Count, Most), Aside, Module, New).

%% One update, or above the longest write as few as it takes.
feed(Module, State, Data, Count, Most) when Count =< Most ->
    Module:update(State, binary:copy(Data, Count));
feed(Module, State, Data, Count, Most) ->
    feed(Module, Module:update(State, binary:copy(Data, Most)), Data, Count - Most, Most).

hex(Digest) -> string:lowercase(binary:encode_hex(Digest)).
