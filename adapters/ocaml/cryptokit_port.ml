(* Port: OCaml's Cryptokit, modules Hash and MAC, documented in cryptokit.mli:
   "Terminate the hash computation and return the hash value". *)

let make ~size ~key =
  let hash =
    match key with
    | None -> Cryptokit.Hash.blake2b (8 * size)
    | Some key -> Cryptokit.MAC.blake2b (8 * size) key
  in
  {
    Protocol.update = (fun data -> hash#add_string data);
    final = (fun () -> hash#result);
  }

let message = function
  | Cryptokit.Error Cryptokit.Wrong_key_size -> "Wrong_key_size"
  | e -> Printexc.to_string e

let () =
  Protocol.serve
    { name = "cryptokit"; version = Version.cryptokit; make; message }
