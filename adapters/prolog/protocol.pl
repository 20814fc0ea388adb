% The line protocol of blake2btest: reads requests, takes their steps, answers.
% It is described in subprocess/PROTOCOL.md.

:- module(protocol, [serve/3, unsupported/2]).

:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(readutil)).
:- use_module(library(yall)).

% serve(+Name, +Version, +Port) answers requests until the input ends. The module
% Port has make(+Size, +Key, -State), where Key may be none; update(+Data,
% +State0, -State), and digest(+State, -Hex). Data and keys are strings of octets.
% States are values: State0 stays as it was, so a clone is the same state kept.

serve(Name0, Version, Port) :-
    set_stream(user_input, encoding(octet)),
    set_stream(user_output, buffer(full)),
    (   getenv('ADAPTER_NAME', Name)
    ->  true
    ;   Name = Name0
    ),
    format(string(About), "name=~w version=~w protocol=1", [Name, Version]),
    repeat,
    read_line_to_string(user_input, Line),
    (   Line == end_of_file
    ->  !
    ;   answer_line(Line, About, Port),
        fail
    ).

answer_line(Line, About, Port) :-
    catch(( answer(Line, About, Port, Text), Word = ok ),
          Error,
          refusal(Error, Word, Text)),
    format("~w ~s~n", [Word, Text]),
    flush_output.

refusal(unsupported(Text), unsupported, Codes) :- !, printable(Text, Codes).
refusal(invalid(Text), error, Codes) :- !, printable(Text, Codes).
refusal(Error, error, Codes) :-
    format(string(Text), "~q", [Error]),
    printable(Text, Codes).

printable(Text, Codes) :-
    string_codes(Text, Codes0),
    maplist([C0, C]>>( between(0' , 0'~, C0) -> C = C0 ; C = 0'? ), Codes0, Codes).

unsupported(Format, Arguments) :-
    format(string(Text), Format, Arguments),
    throw(unsupported(Text)).

invalid(Format, Arguments) :-
    format(string(Text), Format, Arguments),
    throw(invalid(Text)).

longest_line(0x100000).
longest_write(0x8000000).
longest_message(0x200000000).

answer("", _, _, _) :- !, invalid("empty line", []).
answer(Line, _, _, _) :-
    string_length(Line, Length),
    longest_line(Most),
    Length > Most,
    !,
    invalid("line above ~d bytes", [Most]).
answer(Line, About, Port, Text) :-
    split_string(Line, " ", "", [Verb|Words]),
    answer(Verb, Words, About, Port, Text).

answer("sum", Words, _, Port, Text) :-
    !,
    parameters(Words, [], Given, StepWords),
    maplist(step, StepWords, Steps),
    foldl(check_swap, Steps, nothing, _),
    check_length(Steps),
    ( memberchk(size=Size, Given) -> true ; Size = 64 ),
    ( memberchk(key=Key, Given) -> true ; Key = none ),
    New = Port:make(Size, Key),
    call(New, State),
    run(Steps, State, nothing, Port, New, Digests),
    atomic_list_concat(Digests, ' ', Text).
answer("about", [], About, _, About) :- !.
answer("about", [":"|_], _, _, _) :- !, invalid("about takes no steps", []).
answer("about", _, _, _, _) :- !, unsupported("about takes no keys", []).
answer(Verb, _, _, _, _) :- unsupported("verb ~q", [Verb]).

% Words

parameters([], Given, Given, []).
parameters([":"|Steps], Given, Given, Steps) :- !.
parameters([Word|Words], Given0, Given, Steps) :-
    (   sub_string(Word, Before, _, After, "=")
    ->  sub_atom(Word, 0, Before, _, Name),
        sub_string(Word, _, After, 0, Value)
    ;   invalid("word ~q is not key=value", [Word])
    ),
    (   memberchk(Name=_, Given0)
    ->  invalid("key \"~w\" given twice", [Name])
    ;   parameter(Name, Value, Parsed)
    ),
    parameters(Words, [Name=Parsed|Given0], Given, Steps).

parameter(size, Word, Size) :-
    !,
    number(size, Word, Size),
    ( Size < 1<<32 -> true ; invalid("size: ~d is above 2^32-1", [Size]) ).
parameter(key, Word, Key) :- !, octets(key, Word, Key).
parameter(Name, _, _) :- unsupported("key \"~w\"", [Name]).

step("sum", sum) :- !.
step("new", new) :- !.
step("clone", clone) :- !.
step("swap", swap) :- !.
step("-", write("", 1)) :- !.
step("", _) :- !, invalid("an empty word", []).
step(Word, _) :-
    string_codes(Word, Codes),
    member(Code, Codes),
    between(0'g, 0'z, Code),
    !,
    unsupported("step ~q", [Word]).
step(Word, write(Data, Count)) :-
    split_string(Word, "*", "", [Digits|Times]),
    octets(write, Digits, Data),
    write_count(Times, Data, Count).

write_count([], _, 1).
write_count([Word|More], Data, Count) :-
    ( More == [] -> true ; invalid("a write has two counts", []) ),
    number('write count', Word, Count),
    ( Data \== "", Count > 0 -> true ; invalid("write of no bytes has a count", []) ).

number(What, Word, Number) :-
    string_codes(Word, Codes),
    (   Codes = [First|Rest],
        maplist([C]>>between(0'0, 0'9, C), Codes),
        ( First =\= 0'0 -> true ; Rest == [] )
    ->  number_codes(Number, Codes)
    ;   invalid("~w: ~q is not a decimal number", [What, Word])
    ).

octets(What, Word, Octets) :-
    string_codes(Word, Digits),
    (   maplist(digit, Digits, Values)
    ->  true
    ;   invalid("~w: ~q is not hex in lower case", [What, Word])
    ),
    (   pairs(Values, Codes)
    ->  string_codes(Octets, Codes)
    ;   invalid("~w: ~q has an odd number of digits", [What, Word])
    ).

digit(Code, Value) :- between(0'0, 0'9, Code), !, Value is Code - 0'0.
digit(Code, Value) :- between(0'a, 0'f, Code), Value is Code - 0'a + 10.

pairs([], []).
pairs([High, Low|Values], [Octet|Octets]) :-
    Octet is 16 * High + Low,
    pairs(Values, Octets).

check_swap(swap, nothing, _) :- !, invalid("swap with no state aside", []).
check_swap(new, _, something) :- !.
check_swap(clone, _, something) :- !.
check_swap(_, Aside, Aside).

check_length(Steps) :-
    foldl(add_length, Steps, 0, Length),
    longest_message(Most),
    ( Length =< Most -> true ; unsupported("a message above ~d bytes", [Most]) ).

add_length(write(Data, Count), Length0, Length) :-
    !,
    string_length(Data, Octets),
    Length is Length0 + Count * Octets.
add_length(_, Length, Length).

% Steps

run([], State, _, Port, _, [Digest]) :-
    Port:digest(State, Digest).
run([Step|Steps], State, Aside, Port, New, Digests) :-
    run(Step, Steps, State, Aside, Port, New, Digests).

run(sum, Steps, State, Aside, Port, New, [Digest|Digests]) :-
    Port:digest(State, Digest),
    run(Steps, State, Aside, Port, New, Digests).
run(new, Steps, State, _, Port, New, Digests) :-
    call(New, Aside),
    run(Steps, State, Aside, Port, New, Digests).
run(clone, Steps, State, _, Port, New, Digests) :-
    run(Steps, State, State, Port, New, Digests).
run(swap, Steps, State, Aside, Port, New, Digests) :-
    run(Steps, Aside, State, Port, New, Digests).
run(write(Data, Count), Steps, State0, Aside, Port, New, Digests) :-
    string_length(Data, Length),
    longest_write(Longest),
    Most is max(1, Longest // max(1, Length)),
    feed(Count, Most, Data, Port, State0, State),
    run(Steps, State, Aside, Port, New, Digests).

% One update, or above the longest write as few as it takes.
feed(Count, Most, Data, Port, State0, State) :-
    Count =< Most,
    !,
    times(Count, Data, All),
    Port:update(All, State0, State).
feed(Count, Most, Data, Port, State0, State) :-
    times(Most, Data, All),
    Port:update(All, State0, State1),
    Left is Count - Most,
    feed(Left, Most, Data, Port, State1, State).

times(1, Data, Data) :- !.
times(Count, Data, All) :-
    Half is Count // 2,
    times(Half, Data, Some),
    string_concat(Some, Some, Twice),
    (   Count mod 2 =:= 0
    ->  All = Twice
    ;   string_concat(Twice, Data, All)
    ).
