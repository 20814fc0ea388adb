# Port: hash of R's package sodium over libsodium, documented in ?sodium::hash.

source("r/protocol.R")

serve(
  "r-sodium",
  packageVersion("sodium"),
  function(message, size, key) {
    size <- if (is.null(size)) 64 else size
    tryCatch(
      sodium::hash(message, key = key, size = size),
      error = function(refusal) {
        # Documented are digests and keys of 16 bytes and more.
        if (size %in% 1:15 || length(key) %in% 1:15) {
          unsupported("%s", conditionMessage(refusal))
        }
        stop(refusal)
      }
    )
  }
)
