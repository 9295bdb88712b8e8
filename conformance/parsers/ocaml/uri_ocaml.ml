(* The library uri of OCaml, which parses anything: Uri.of_string. *)
let () =
  try
    while true do
      let asked = Yojson.Safe.from_string (input_line stdin) in
      let field name = Yojson.Safe.Util.(member name asked |> to_string) in
      let found = Uri.of_string (field "text") in
      let valid = Uri.scheme found <> None || field "rule" <> "URI" in
      let host = match Uri.host found with Some host -> `String host | None -> `Null in
      print_endline (Yojson.Safe.to_string (`Assoc [ ("valid", `Bool valid); ("host", host) ]))
    done
  with End_of_file -> ()
