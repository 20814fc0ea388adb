;;; Port: guile-gcrypt's open-hash-port over Libgcrypt, documented in its (gcrypt hash).

(define-module (gcrypt-port)
  #:use-module (gcrypt hash)
  #:use-module (gcrypt package-config)
  #:use-module (ice-9 binary-ports)
  #:use-module (protocol)
  #:export (main))

(define (algorithm size)
  (case size
    ((20) (hash-algorithm blake2b-160))
    ((32) (hash-algorithm blake2b-256))
    ((48) (hash-algorithm blake2b-384))
    ((64) (hash-algorithm blake2b-512))
    (else (unsupported "no digest of ~a bytes" size))))

;; A digest is had as port-hash has it: the port is closed, and then the thunk
;; gives the digest as often as it is called.
(define (make size key)
  (when key
    (unsupported "no keys: (gcrypt mac) has HMAC"))
  (call-with-values (lambda () (open-hash-port (algorithm size)))
    (lambda (port digest)
      (make-state
       (lambda (data)
         (when (port-closed? port)
           (unsupported "a digest closes the port"))
         (put-bytevector port data))
       (lambda ()
         (close-port port)
         (digest))))))

(define (main)
  (serve "guile-gcrypt" %guile-gcrypt-version make))
