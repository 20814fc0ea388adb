# Port: blake2b of R's package openssl, documented in ?openssl::hashing.

source("r/protocol.R")

serve(
  "r-openssl",
  packageVersion("openssl"),
  function(message, size, key) {
    if (!is.null(size) && size != 64) {
      unsupported("digests of 64 bytes only")
    }
    if (!is.null(key)) {
      unsupported("a key makes it an HMAC")
    }
    unclass(openssl::blake2b(message))
  }
)
