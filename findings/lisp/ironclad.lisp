;;; Ironclad 0.57: a MAC of 0 bytes is made.
;;; $ sbcl --script lisp/ironclad.lisp
(require :asdf)
(asdf:load-system "ironclad/mac/blake2-mac")
(let* ((key (make-array 1 :element-type '(unsigned-byte 8) :initial-element 0))
       (mac (ironclad:make-mac :blake2-mac key :digest-length 0)))
  (format t "got  a MAC of ~d bytes~%" (length (ironclad:produce-mac mac)))
  (format t "want an error, as for 65~%"))
