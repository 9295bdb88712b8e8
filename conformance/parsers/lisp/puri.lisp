;; puri of Common Lisp: parse-uri or uri.
(require :asdf)
(let ((*standard-output* (make-broadcast-stream))) (asdf:load-system :puri) (asdf:load-system :yason))

(loop for line = (read-line *standard-input* nil)
      while line
      do (let* ((asked (yason:parse line))
                (found (handler-case (puri:parse-uri (gethash "text" asked)) (error () nil)))
                (scheme (and found (puri:uri-scheme found)))
                (host (and found (puri:uri-host found)))
                (answer (make-hash-table :test #'equal)))
           (setf (gethash "valid" answer)
                 (if (and found (or scheme (string/= (gethash "rule" asked) "URI"))) 'yason:true 'yason:false))
           (when host (setf (gethash "host" answer) host))
           (yason:encode answer)
           (terpri)
           (finish-output)))
