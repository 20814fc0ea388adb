(* The line protocol of blake2btest: reads requests, takes their steps, answers.
   It is described in subprocess/PROTOCOL.md. *)

(* What a port's API has. Its final ends a state. *)
type state = { update : string -> unit; final : unit -> string }

type port = {
  name : string;
  version : string;
  make : size:int -> key:string option -> state;
  message : exn -> string; (* the words of a refusal *)
}

exception Unsupported of string
exception Invalid of string

let unsupported format = Printf.ksprintf (fun s -> raise (Unsupported s)) format
let invalid format = Printf.ksprintf (fun s -> raise (Invalid s)) format

type step = Write of string * int | Sum | New | Swap

let max_line = 1 lsl 20
let max_write = 1 lsl 27
let max_message = 1 lsl 33

let all test s = String.for_all test s
let is_digit c = '0' <= c && c <= '9'
let is_hex c = is_digit c || ('a' <= c && c <= 'f')
let is_beyond_hex c = 'g' <= c && c <= 'z'

(* Numbers of up to 18 digits are below 2^62, and so is an OCaml int. *)
let number what s =
  if s = "" || (not (all is_digit s)) || (s.[0] = '0' && s <> "0") then
    invalid "%s: %S is not a decimal number" what s
  else if String.length s > 18 then invalid "%s: %s is too large" what s
  else int_of_string s

let bytes what s =
  if not (all is_hex s) then invalid "%s: %S is not hex in lower case" what s;
  if String.length s mod 2 <> 0 then
    invalid "%s: %S has an odd number of digits" what s;
  let digit c = Char.code c - if c <= '9' then 48 else 87 in
  String.init (String.length s / 2) (fun i ->
      Char.chr ((digit s.[2 * i] lsl 4) lor digit s.[(2 * i) + 1]))

let hex s =
  String.concat ""
    (List.map
       (fun c -> Printf.sprintf "%02x" (Char.code c))
       (List.of_seq (String.to_seq s)))

let write word =
  match String.split_on_char '*' word with
  | [ digits ] -> Write (bytes "write" digits, 1)
  | [ digits; count ] ->
      let data = bytes "write" digits and count = number "write count" count in
      if data = "" || count = 0 then invalid "write of no bytes has a count";
      Write (data, count)
  | _ -> invalid "write: %S has two counts" word

let step = function
  | "sum" -> Sum
  | "new" -> New
  | "swap" -> Swap
  | "-" -> Write ("", 1)
  | "" -> invalid "an empty word"
  | word when String.exists is_beyond_hex word -> unsupported "step %S" word
  | word -> write word

let rec parameters size key = function
  | [] -> (size, key, [])
  | ":" :: words -> (size, key, List.map step words)
  | word :: words -> (
      match String.index_opt word '=' with
      | None -> invalid "word %S is not key=value" word
      | Some i -> (
          let value = String.sub word (i + 1) (String.length word - i - 1) in
          match String.sub word 0 i with
          | "size" when size <> None -> invalid "key \"size\" given twice"
          | "key" when key <> None -> invalid "key \"key\" given twice"
          | "size" ->
              let n = number "size" value in
              if n >= 1 lsl 32 then invalid "size: %d is above 2^32-1" n;
              parameters (Some n) key words
          | "key" -> parameters size (Some (bytes "key" value)) words
          | other -> unsupported "key %S" other))

let rec check_swaps aside = function
  | Swap :: _ when not aside -> invalid "swap with no state aside"
  | s :: steps -> check_swaps (aside || s = New) steps
  | [] -> ()

let check_length steps =
  let add total = function
    | Write (data, count) ->
        if data <> "" && count > (max_message - total) / String.length data then
          unsupported "a message above %d bytes" max_message;
        total + (String.length data * count)
    | _ -> total
  in
  ignore (List.fold_left add 0 steps)

let repeat data count =
  let n = String.length data * count in
  let b = Bytes.create n in
  let rec double filled =
    if filled < n then (
      let more = min filled (n - filled) in
      Bytes.blit b 0 b filled more;
      double (filled + more))
  in
  Bytes.blit_string data 0 b 0 (String.length data);
  double (String.length data);
  Bytes.unsafe_to_string b

(* One call of update, or above max_write as few as it takes. *)
let feed update data count =
  let most = max 1 (max_write / max 1 (String.length data)) in
  if count <= most then update (repeat data count)
  else
    let piece = repeat data most in
    for _ = 1 to count / most do
      update piece
    done;
    if count mod most > 0 then update (repeat data (count mod most))

let run port size key steps =
  let fresh () = (port.make ~size ~key, ref false) in
  let living (state, ended) =
    if !ended then unsupported "final ends the state" else state
  in
  let sum ((_, ended) as current) =
    let digest = (living current).final () in
    ended := true;
    hex digest
  in
  let rec go current aside digests = function
    | [] -> List.rev (sum current :: digests)
    | Sum :: steps -> go current aside (sum current :: digests) steps
    | New :: steps -> go current (Some (fresh ())) digests steps
    | Swap :: steps -> go (Option.get aside) (Some current) digests steps
    | Write (data, count) :: steps ->
        feed (living current).update data count;
        go current aside digests steps
  in
  go (fresh ()) None [] steps

let answer port line =
  if String.length line > max_line then invalid "line above %d bytes" max_line;
  match String.split_on_char ' ' line with
  | [ "" ] -> invalid "empty line"
  | [ "about" ] ->
      [ "name=" ^ port.name; "version=" ^ port.version; "protocol=1" ]
  | "about" :: ":" :: _ -> invalid "about takes no steps"
  | "about" :: _ -> unsupported "about takes no keys"
  | "sum" :: words ->
      let size, key, steps = parameters None None words in
      check_swaps false steps;
      check_length steps;
      run port (Option.value size ~default:64) key steps
  | verb :: _ -> unsupported "verb %S" verb
  | [] -> assert false

let without_cr line =
  let n = String.length line in
  if n > 0 && line.[n - 1] = '\r' then String.sub line 0 (n - 1) else line

let serve port =
  let name = Option.value (Sys.getenv_opt "ADAPTER_NAME") ~default:port.name in
  let port = { port with name } in
  try
    while true do
      let line = without_cr (input_line stdin) in
      print_endline
        (try String.concat " " ("ok" :: answer port line) with
        | Unsupported what -> "unsupported " ^ what
        | Invalid what -> "error " ^ what
        | e -> "error " ^ port.message e)
    done
  with End_of_file -> ()
