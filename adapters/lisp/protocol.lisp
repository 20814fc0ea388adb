;;;; The line protocol of blake2btest: reads requests, takes their steps, answers.
;;;; It is described in subprocess/PROTOCOL.md. A port's file has methods for the
;;;; generic functions below, as far as its API goes.

(defpackage #:protocol
  (:use #:common-lisp)
  (:export #:octets #:unsupported #:serve
           #:update #:digest #:reset #:clone))

(in-package #:protocol)

(deftype octets () '(simple-array (unsigned-byte 8) (*)))

(define-condition unsupported (simple-condition) ())
(define-condition invalid (simple-error) ())

(defun unsupported (control &rest arguments)
  (signal 'unsupported :format-control control :format-arguments arguments))

(defun invalid (control &rest arguments)
  (error 'invalid :format-control control :format-arguments arguments))

(defgeneric update (state data))

(defgeneric digest (state)
  (:documentation "The digest of what was written. Writes may follow."))

(defgeneric reset (state)
  (:method (state) (unsupported "step \"reset\"")))

(defgeneric clone (state)
  (:method (state) (unsupported "step \"clone\"")))

;;; Words

(defconstant +longest-line+ (expt 2 20))
(defconstant +longest-write+ (expt 2 27))
(defconstant +longest-message+ (expt 2 33))

(defun split (string separator)
  (loop for start = 0 then (1+ end)
        for end = (position separator string :start start)
        collect (subseq string start end)
        while end))

(defun parse-number (what string)
  (if (and (plusp (length string))
           (every #'digit-char-p string)
           (or (string= string "0") (char/= (char string 0) #\0)))
      (parse-integer string)
      (invalid "~a: ~s is not a decimal number" what string)))

(defun hex-char-p (char)
  (find char "0123456789abcdef"))

(defun parse-octets (what string)
  (unless (every #'hex-char-p string)
    (invalid "~a: ~s is not hex in lower case" what string))
  (unless (evenp (length string))
    (invalid "~a: ~s has an odd number of digits" what string))
  (let ((octets (make-array (/ (length string) 2) :element-type '(unsigned-byte 8))))
    (dotimes (i (length octets) octets)
      (setf (aref octets i)
            (+ (* 16 (digit-char-p (char string (* 2 i)) 16))
               (digit-char-p (char string (1+ (* 2 i))) 16))))))

(defun hex (octets)
  (format nil "~(~{~2,'0x~}~)" (coerce octets 'list)))

;;; A step is a keyword, or (data . count) for a write.

(defun parse-write (word)
  (destructuring-bind (digits &optional (count nil repeated) &rest more) (split word #\*)
    (when more
      (invalid "write: ~s has two counts" word))
    (let ((data (parse-octets "write" digits))
          (count (if repeated (parse-number "write count" count) 1)))
      (when (and repeated (zerop (* count (length data))))
        (invalid "write of no bytes has a count"))
      (cons data count))))

(defun parse-step (word)
  (cond ((string= word "") (invalid "an empty word"))
        ((string= word "-") (cons (parse-octets "write" "") 1))
        ((find word '("sum" "reset" "new" "clone" "swap") :test #'string=)
         (intern (string-upcase word) '#:keyword))
        ((some (lambda (char) (char<= #\g char #\z)) word)
         (unsupported "step ~s" word))
        (t (parse-write word))))

(defun parse-parameters (words)
  "The plist of the parameters, and the steps."
  (loop with parameters = '()
        for (word . rest) on words
        for equals = (position #\= word)
        for key = (subseq word 0 equals)
        until (string= word ":")
        do (unless equals
             (invalid "word ~s is not key=value" word))
           (let ((value (subseq word (1+ equals))))
             (flet ((give (indicator value)
                      (when (getf parameters indicator)
                        (invalid "key ~s given twice" key))
                      (setf (getf parameters indicator) value)))
               (cond ((string= key "size")
                      (let ((size (parse-number key value)))
                        (unless (< size (expt 2 32))
                          (invalid "size: ~d is above 2^32-1" size))
                        (give :size size)))
                     ((string= key "key") (give :key (parse-octets key value)))
                     (t (unsupported "key ~s" key)))))
        finally (return (values parameters (mapcar #'parse-step rest)))))

(defun check-steps (steps)
  (let ((aside nil) (length 0))
    (dolist (step steps)
      (cond ((consp step) (incf length (* (length (car step)) (cdr step))))
            ((member step '(:new :clone)) (setf aside t))
            ((and (eq step :swap) (not aside)) (invalid "swap with no state aside"))))
    (when (> length +longest-message+)
      (unsupported "a message above ~d bytes" +longest-message+))))

;;; Answers

(defun repeat (data count)
  (let ((all (make-array (* count (length data)) :element-type '(unsigned-byte 8))))
    (replace all data)
    (loop for filled = (length data) then (* 2 filled)
          while (< 0 filled (length all))
          do (replace all all :start1 filled :end2 filled))
    all))

(defun feed (state data count)
  "One call of UPDATE, or above the longest write as few as it takes."
  (let ((most (max 1 (floor +longest-write+ (max 1 (length data))))))
    (if (<= count most)
        (update state (repeat data count))
        (multiple-value-bind (times rest) (floor count most)
          (let ((piece (repeat data most)))
            (loop repeat times do (update state piece)))
          (when (plusp rest)
            (update state (repeat data rest)))))))

(defun run (make size key steps)
  (let ((state (funcall make size key))
        (aside nil)
        (digests '()))
    (dolist (step (append steps '(:sum)) (nreverse digests))
      (case step
        (:sum (push (hex (digest state)) digests))
        (:reset (reset state))
        (:new (setf aside (funcall make size key)))
        (:clone (setf aside (clone state)))
        (:swap (rotatef state aside))
        (t (feed state (car step) (cdr step)))))))

(defun answer (make name version line)
  (when (string= line "")
    (invalid "empty line"))
  (when (> (length line) +longest-line+)
    (invalid "line above ~d bytes" +longest-line+))
  (destructuring-bind (verb &rest words) (split line #\Space)
    (cond ((string= verb "sum")
           (multiple-value-bind (parameters steps) (parse-parameters words)
             (check-steps steps)
             (run make (getf parameters :size 64) (getf parameters :key) steps)))
          ((string/= verb "about") (unsupported "verb ~s" verb))
          ((null words)
           (list (format nil "name=~a" name) (format nil "version=~a" version) "protocol=1"))
          ((string= (first words) ":") (invalid "about takes no steps"))
          (t (unsupported "about takes no keys")))))

(defun message (condition)
  "The text of CONDITION, as one line of ASCII."
  (substitute-if #\Space (lambda (char) (not (char<= #\Space char #\~)))
                 (princ-to-string condition)))

(defun serve (make name version)
  "Serve the port whose fresh hashes MAKE returns, of a size and a key or NIL."
  (let ((in (sb-sys:make-fd-stream 0 :buffering :full :external-format :latin-1))
        (out (sb-sys:make-fd-stream 1 :output t :input nil :buffering :full
                                      :external-format :latin-1))
        (name (or (sb-posix:getenv "ADAPTER_NAME") name)))
    (loop for line = (read-line in nil)
          while line
          do (format out "~{~a~^ ~}~%"
                     (handler-case
                         (cons "ok" (answer make name version (string-right-trim '(#\Return) line)))
                       (unsupported (c) (list "unsupported" (message c)))
                       (serious-condition (c) (list "error" (message c)))))
             (finish-output out))))
