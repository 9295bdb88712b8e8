#!/usr/bin/env escript
%% uri_string:parse of Erlang.
main(_) ->
    io:setopts([binary, {encoding, utf8}]),
    loop().

loop() ->
    case io:get_line("") of
        eof -> ok;
        Line ->
            Asked = jiffy:decode(Line, [return_maps]),
            {Valid, Host} = judge(maps:get(<<"text">>, Asked), maps:get(<<"rule">>, Asked)),
            io:format("~ts~n", [jiffy:encode(#{valid => Valid, host => Host})]),
            loop()
    end.

judge(Text, Rule) ->
    case catch uri_string:parse(Text) of
        Found when is_map(Found) ->
            Valid = maps:is_key(scheme, Found) orelse Rule =/= <<"URI">>,
            {Valid, maps:get(host, Found, null)};
        _ -> {false, null}
    end.
