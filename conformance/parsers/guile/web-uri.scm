;; (web uri) of Guile: string->uri and string->uri-reference.
(use-modules (web uri) (json) (ice-9 rdelim))

(let loop ((line (read-line)))
  (unless (eof-object? line)
    (let* ((asked (json-string->scm line))
           (text (assoc-ref asked "text"))
           (found (if (string=? (assoc-ref asked "rule") "URI")
                      (string->uri text)
                      (string->uri-reference text))))
      (display (scm->json-string
                `((valid . ,(and found #t))
                  (host . ,(or (and found (uri-host found)) 'null)))))
      (newline)
      (force-output)
      (loop (read-line)))))
