# https://docs.example.org/R.
#' \url{https://docs.example.org/roxygen}
a <- paste0("https://api.example.org/", id)
b <- 'https://api.example.org/ã'
