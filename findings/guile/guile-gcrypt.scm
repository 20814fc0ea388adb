;; guile-gcrypt 0.4.0: what is still in the buffer of a hash port is not hashed.
;; $ guile --no-auto-compile guile/guile-gcrypt.scm
(use-modules (gcrypt hash) (gcrypt base16) (rnrs bytevectors) (rnrs io ports))
(define-values (port digest) (open-hash-port (hash-algorithm blake2b-160)))
(put-bytevector port (string->utf8 "abc"))
(display "got  ")
(display (bytevector->base16-string (digest)))
(newline)
(display "want ")
(display (bytevector->base16-string (bytevector-hash (string->utf8 "abc") (hash-algorithm blake2b-160))))
(newline)
