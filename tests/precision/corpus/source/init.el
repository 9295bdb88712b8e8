;; URL: https://docs.example.org/el
;; `https://docs.example.org/quoted'
(browse-url "https://www.example.org/el")
(format "https://%s/%d" host id)
(setq x "https://www.example.org/a^b")
