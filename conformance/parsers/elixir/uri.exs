# URI.new of Elixir. JSON is read and written by the Erlang library jiffy.
defmodule Judge do
  def judge(text, rule) do
    case URI.new(text) do
      {:ok, found} -> {found.scheme != nil or rule != "URI", found.host || :null}
      {:error, _} -> {false, :null}
    end
  end
end

for line <- IO.stream(:stdio, :line) do
  asked = :jiffy.decode(line, [:return_maps])
  {valid, host} = Judge.judge(asked["text"], asked["rule"])
  IO.puts(:jiffy.encode(%{valid: valid, host: host}))
end
