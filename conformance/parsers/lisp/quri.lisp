;; quri of Common Lisp: parse-uri or uri.
(require :asdf)
(let ((*standard-output* (make-broadcast-stream))) (asdf:load-system :quri) (asdf:load-system :yason))

(loop for line = (read-line *standard-input* nil)
      while line
      do (let* ((asked (yason:parse line))
                (found (handler-case (quri:uri (coerce (gethash "text" asked) (quote simple-string))) (error () nil)))
                (scheme (and found (quri:uri-scheme found)))
                (host (and found (quri:uri-host found)))
                (answer (make-hash-table :test #'equal)))
           (setf (gethash "valid" answer)
                 (if (and found (or scheme (string/= (gethash "rule" asked) "URI"))) 'yason:true 'yason:false))
           (when host (setf (gethash "host" answer) host))
           (yason:encode answer)
           (terpri)
           (finish-output)))
