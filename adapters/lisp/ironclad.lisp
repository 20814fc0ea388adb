;;;; Port: Ironclad on SBCL, digests and MACs, documented in its ironclad.html.

(defpackage #:ironclad-port
  (:use #:common-lisp #:protocol)
  (:export #:main))

(in-package #:ironclad-port)

(defparameter *digests*
  '((20 . :blake2/160) (32 . :blake2/256) (48 . :blake2/384) (64 . :blake2)))

;;; Where there is no key, a state is Ironclad's digest. Where there is one, it
;;; is a MAC and the key, which reinitialize-instance wants again.

(defstruct keyed mac key)

(defun make (size key)
  (if key
      (make-keyed :key key :mac (ironclad:make-mac :blake2-mac key :digest-length size))
      (ironclad:make-digest
       (or (cdr (assoc size *digests*))
           (unsupported "no digest of ~d bytes without a key" size)))))

(defmethod update (state data) (ironclad:update-digest state data))
(defmethod digest (state) (ironclad:produce-digest state))
(defmethod reset (state) (reinitialize-instance state))
(defmethod clone (state) (ironclad:copy-digest state))

(defmethod update ((state keyed) data)
  (ironclad:update-mac (keyed-mac state) data))

(defmethod digest ((state keyed))
  (ironclad:produce-mac (keyed-mac state)))

(defmethod reset ((state keyed))
  (reinitialize-instance (keyed-mac state) :key (keyed-key state)))

(defmethod clone ((state keyed))
  (unsupported "no copies of a MAC"))

;; Ironclad does not know its version; build has it from the package.
(defparameter *version* (sb-posix:getenv "IRONCLAD_VERSION"))

(defun main ()
  (sb-ext:disable-debugger)
  (serve #'make "ironclad" *version*))
