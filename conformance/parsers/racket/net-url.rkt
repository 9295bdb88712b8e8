#lang racket/base
;; net/url of Racket: string->url.
(require json net/url)

(for ([line (in-lines)])
  (define asked (string->jsexpr line))
  (define found
    (with-handlers ([exn:fail? (lambda (error) #f)]) (string->url (hash-ref asked 'text))))
  (define valid
    (and found (or (string? (url-scheme found)) (not (equal? (hash-ref asked 'rule) "URI")))))
  (write-json (hasheq 'valid (and valid #t) 'host (or (and found (url-host found)) (json-null))))
  (newline)
  (flush-output))
