# The line protocol of blake2btest: reads requests, takes their steps, answers.
# It is described in subprocess/PROTOCOL.md. Both ports take a message whole, so
# of each state there is one write and one digest.

longest_line <- 2^20
longest_message <- 2^27

stop_with <- function(class, ...) {
  stop(errorCondition(sprintf(...), class = class))
}
unsupported <- function(...) stop_with("unsupported", ...)
invalid <- function(...) stop_with("invalid", ...)

parse_number <- function(what, word) {
  if (!grepl("^(0|[1-9][0-9]*)$", word)) {
    invalid("%s: \"%s\" is not a decimal number", what, word)
  }
  as.numeric(word)
}

parse_bytes <- function(what, word) {
  if (grepl("[^0-9a-f]", word)) {
    invalid("%s: \"%s\" is not hex in lower case", what, word)
  }
  if (nchar(word) %% 2 != 0) {
    invalid("%s: \"%s\" has an odd number of digits", what, word)
  }
  digits <- utf8ToInt(word)
  values <- digits - ifelse(digits <= utf8ToInt("9"), 48L, 87L)
  odd <- seq(1, length.out = length(digits) / 2, by = 2)
  as.raw(16L * values[odd] + values[odd + 1])
}

parse_step <- function(word) {
  if (word %in% c("sum", "new", "swap")) {
    return(list(op = word))
  }
  if (word == "-") {
    return(list(op = "write", data = raw(0), count = 1))
  }
  if (word == "") {
    invalid("an empty word")
  }
  if (grepl("[g-z]", word)) {
    unsupported("step \"%s\"", word)
  }
  star <- regexpr("*", word, fixed = TRUE)
  if (star < 0) {
    return(list(op = "write", data = parse_bytes("write", word), count = 1))
  }
  data <- parse_bytes("write", substring(word, 1, star - 1))
  count <- parse_number("write count", substring(word, star + 1))
  if (length(data) == 0 || count == 0) {
    invalid("write of no bytes has a count")
  }
  list(op = "write", data = data, count = count)
}

parse_parameters <- function(words) {
  given <- list()
  for (word in words) {
    equals <- regexpr("=", word, fixed = TRUE)
    if (equals < 0) {
      invalid("word \"%s\" is not key=value", word)
    }
    key <- substring(word, 1, equals - 1)
    value <- substring(word, equals + 1)
    if (key %in% names(given)) {
      invalid("key \"%s\" given twice", key)
    }
    given[[key]] <- switch(key,
      size = parse_number(key, value),
      key = parse_bytes(key, value),
      unsupported("key \"%s\"", key)
    )
  }
  if (!is.null(given$size) && given$size >= 2^32) {
    invalid("size: %.0f is above 2^32-1", given$size)
  }
  given
}

check_steps <- function(steps) {
  aside <- FALSE
  length <- 0
  for (step in steps) {
    if (step$op == "new") {
      aside <- TRUE
    } else if (step$op == "swap" && !aside) {
      invalid("swap with no state aside")
    } else if (step$op == "write") {
      length <- length + length(step$data) * step$count
    }
  }
  if (length > longest_message) {
    unsupported("a message above %d bytes", longest_message)
  }
}

# A state is its message, NULL before there is a write, and whether it is spent.
fresh <- list(message = NULL, spent = FALSE)

run <- function(hash, given, steps) {
  state <- fresh
  aside <- NULL
  digests <- character(0)
  for (step in c(steps, list(list(op = "sum")))) {
    if (step$op == "new") {
      aside <- fresh
    } else if (step$op == "swap") {
      other <- aside
      aside <- state
      state <- other
    } else if (state$spent) {
      unsupported("there is no state")
    } else if (step$op == "sum") {
      message <- if (is.null(state$message)) raw(0) else state$message
      digest <- hash(message, given$size, given$key)
      digests <- c(digests, paste(as.character(digest), collapse = ""))
      state$spent <- TRUE
    } else if (!is.null(state$message)) {
      unsupported("the message is taken in one piece")
    } else {
      state$message <- rep(step$data, step$count)
    }
  }
  digests
}

answer <- function(line, about, hash) {
  if (line == "") {
    invalid("empty line")
  }
  if (nchar(line) > longest_line) {
    invalid("line above %d bytes", longest_line)
  }
  # strsplit drops an empty word at the end.
  words <- strsplit(paste0(line, " ."), " ", fixed = TRUE)[[1]]
  words <- words[-length(words)]
  colon <- match(":", words, nomatch = length(words) + 1)
  keys <- words[seq_len(colon - 1)][-1]
  steps <- words[-seq_len(min(colon, length(words)))]
  if (words[1] == "sum") {
    given <- parse_parameters(keys)
    steps <- lapply(steps, parse_step)
    check_steps(steps)
    return(run(hash, given, steps))
  }
  if (words[1] != "about") {
    unsupported("verb \"%s\"", words[1])
  }
  if (length(keys) > 0) {
    unsupported("about takes no keys")
  }
  if (colon <= length(words)) {
    invalid("about takes no steps")
  }
  about
}

refusal <- function(word) {
  function(condition) {
    text <- gsub("[^ -~]+", " ", conditionMessage(condition), useBytes = TRUE)
    c(word, text)
  }
}

# serve answers requests until the input ends. hash takes a message, a size and a
# key, each of these NULL where it is not given, and returns the bytes of a digest.
serve <- function(name, version, hash) {
  name <- Sys.getenv("ADAPTER_NAME", name)
  about <- c(paste0("name=", name), paste0("version=", version), "protocol=1")
  input <- file("stdin", "rb")
  while (length(line <- readLines(input, 1, warn = FALSE)) > 0) {
    words <- tryCatch(
      c("ok", answer(sub("\r$", "", line), about, hash)),
      unsupported = refusal("unsupported"),
      error = refusal("error")
    )
    cat(words)
    cat("\n")
    flush(stdout())
  }
}
