;;; The line protocol of blake2btest: reads requests, takes their steps, answers.
;;; It is described in subprocess/PROTOCOL.md.

(define-module (protocol)
  #:use-module (ice-9 format)
  #:use-module (ice-9 match)
  #:use-module (ice-9 rdelim)
  #:use-module (rnrs bytevectors)
  #:use-module (srfi srfi-1)
  #:use-module (srfi srfi-9)
  #:export (make-state unsupported serve))

;; What a port's API has: a procedure that takes bytes, and a thunk.
(define-record-type state
  (make-state update digest)
  state?
  (update state-update)
  (digest state-digest))

(define longest-line (expt 2 20))
(define longest-write (expt 2 27))
(define longest-message (expt 2 33))

(define (unsupported . arguments)
  (throw 'unsupported (apply format #f arguments)))

(define (invalid . arguments)
  (throw 'invalid (apply format #f arguments)))

;;; Words

(define (between low high)
  (lambda (char) (char<=? low char high)))

(define digit? (between #\0 #\9))

(define (hex-digit? char)
  (or (digit? char) ((between #\a #\f) char)))

(define (parse-number what word)
  (if (and (string-every digit? word)
           (not (string-null? word))
           (or (string=? word "0") (not (string-prefix? "0" word))))
      (string->number word)
      (invalid "~a: ~s is not a decimal number" what word)))

(define (digit-value char)
  (- (char->integer char) (if (digit? char) 48 87)))

(define (parse-bytes what word)
  (unless (string-every hex-digit? word)
    (invalid "~a: ~s is not hex in lower case" what word))
  (unless (even? (string-length word))
    (invalid "~a: ~s has an odd number of digits" what word))
  (let ((bytes (make-bytevector (quotient (string-length word) 2))))
    (do ((i 0 (+ i 1)))
        ((= i (bytevector-length bytes)) bytes)
      (bytevector-u8-set! bytes i
                          (+ (* 16 (digit-value (string-ref word (* 2 i))))
                             (digit-value (string-ref word (+ 1 (* 2 i)))))))))

(define (hex bytes)
  (string-concatenate
   (map (lambda (byte) (string-pad (number->string byte 16) 2 #\0))
        (bytevector->u8-list bytes))))

;; A step is a symbol, or the data and the count of a write.
(define (parse-step word)
  (cond ((member word '("sum" "new" "swap")) (string->symbol word))
        ((string=? word "-") (cons (make-bytevector 0) 1))
        ((string-null? word) (invalid "an empty word"))
        ((string-any (between #\g #\z) word) (unsupported "step ~s" word))
        (else (parse-write word))))

(define (parse-write word)
  (match (string-split word #\*)
    ((digits) (cons (parse-bytes "write" digits) 1))
    ((digits times)
     (let ((data (parse-bytes "write" digits))
           (count (parse-number "write count" times)))
       (when (zero? (* (bytevector-length data) count))
         (invalid "write of no bytes has a count"))
       (cons data count)))
    (_ (invalid "write: ~s has two counts" word))))

(define (parse-value key value)
  (match key
    ("size" (let ((size (parse-number key value)))
              (if (< size (expt 2 32))
                  size
                  (invalid "size: ~a is above 2^32-1" size))))
    ("key" (parse-bytes key value))
    (_ (unsupported "key ~s" key))))

;; The parameters as an association list, and the words of the steps.
(define (parse-parameters words given)
  (match words
    (() (values given '()))
    ((":" . steps) (values given steps))
    ((word . words)
     (let ((equals (or (string-index word #\=)
                       (invalid "word ~s is not key=value" word))))
       (let ((key (substring word 0 equals)))
         (when (assoc key given)
           (invalid "key ~s given twice" key))
         (parse-parameters
          words
          (alist-cons key (parse-value key (substring word (+ 1 equals))) given)))))))

(define (check-steps steps)
  (fold (lambda (step aside)
          (when (and (eq? step 'swap) (not aside))
            (invalid "swap with no state aside"))
          (or aside (eq? step 'new)))
        #f steps)
  (when (> (fold (lambda (step total)
                   (match step
                     ((data . count) (+ total (* count (bytevector-length data))))
                     (_ total)))
                 0 steps)
           longest-message)
    (unsupported "a message above ~a bytes" longest-message)))

;;; Answers

(define (repeat data count)
  (let* ((length (bytevector-length data))
         (all (make-bytevector (* count length))))
    (bytevector-copy! data 0 all 0 length)
    (let double ((filled length))
      (let ((more (min filled (- (bytevector-length all) filled))))
        (when (positive? more)
          (bytevector-copy! all 0 all filled more)
          (double (+ filled more)))))
    all))

;; One call of update, or above the longest write as few as it takes.
(define (feed state data count)
  (let ((most (max 1 (quotient longest-write (max 1 (bytevector-length data)))))
        (update (state-update state)))
    (if (<= count most)
        (update (repeat data count))
        (let ((piece (repeat data most)))
          (do ((left count (- left most)))
              ((< left most)
               (when (positive? left)
                 (update (repeat data left))))
            (update piece))))))

(define (run new steps)
  (let next ((steps steps) (state (new)) (aside #f) (digests '()))
    (define (digest)
      (cons (hex ((state-digest state))) digests))
    (match steps
      (() (reverse (digest)))
      (('sum . steps) (next steps state aside (digest)))
      (('new . steps) (next steps state (new) digests))
      (('swap . steps) (next steps aside state digests))
      (((data . count) . steps)
       (feed state data count)
       (next steps state aside digests)))))

(define (answer make about line)
  (when (string-null? line)
    (invalid "empty line"))
  (when (> (string-length line) longest-line)
    (invalid "line above ~a bytes" longest-line))
  (match (string-split line #\space)
    (("sum" . words)
     (call-with-values (lambda () (parse-parameters words '()))
       (lambda (given words)
         (let ((steps (map parse-step words)))
           (check-steps steps)
           (run (lambda ()
                  (make (or (assoc-ref given "size") 64) (assoc-ref given "key")))
                steps)))))
    (("about") about)
    (("about" ":" . _) (invalid "about takes no steps"))
    (("about" . _) (unsupported "about takes no keys"))
    ((verb . _) (unsupported "verb ~s" verb))))

(define (printable text)
  (string-map (lambda (char) (if ((between #\space #\~) char) char #\?)) text))

(define (answer-line make about line)
  (catch #t
    (lambda () (string-join (cons "ok" (answer make about line))))
    (lambda (key . arguments)
      (match (cons key arguments)
        (('unsupported text) (string-append "unsupported " (printable text)))
        (('invalid text) (string-append "error " (printable text)))
        (other (string-append "error " (printable (format #f "~s" other))))))))

;; Answers requests until the input ends. make returns a fresh state, of a size
;; and a key or #f.
(define (serve name version make)
  (let ((about (list (string-append "name=" (or (getenv "ADAPTER_NAME") name))
                     (string-append "version=" version)
                     "protocol=1")))
    (set-port-encoding! (current-input-port) "ISO-8859-1")
    (let next ((line (read-line)))
      (unless (eof-object? line)
        (display (answer-line make about (string-trim-right line #\return)))
        (newline)
        (force-output)
        (next (read-line))))))
