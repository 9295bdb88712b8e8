% library(uri) of SWI-Prolog: uri_components, which splits; uri_is_global for URIs.
:- use_module(library(uri)).
:- use_module(library(http/json)).
:- initialization(main, main).

main(_) :- set_stream(user_input, encoding(utf8)), set_stream(user_output, encoding(utf8)), loop.

loop :-
    read_line_to_string(user_input, Line),
    ( Line == end_of_file -> true ; answer(Line), loop ).

answer(Line) :-
    atom_json_dict(Line, Asked, []),
    ( catch(judge(Asked.text, Asked.rule, Host), _, fail) -> Valid = true ; Valid = false, Host = null ),
    json_write_dict(current_output, _{valid: Valid, host: Host}, [width(0)]), nl, flush_output.

judge(Text, Rule, Host) :-
    uri_components(Text, Parts),
    uri_data(scheme, Parts, Scheme),
    ( Rule == "URI" -> nonvar(Scheme) ; true ),
    uri_data(authority, Parts, Authority),
    ( nonvar(Authority), uri_authority_components(Authority, A), uri_authority_data(host, A, H), nonvar(H)
    -> Host = H ; Host = null ).
