<?php
// PHP: filter_var with FILTER_VALIDATE_URL, by its manual for URLs of RFC 2396.
while (($line = fgets(STDIN)) !== false) {
    $asked = json_decode($line, true);
    $valid = $asked["rule"] === "URI" ? filter_var($asked["text"], FILTER_VALIDATE_URL) !== false : null;
    echo json_encode(["valid" => $valid]), "\n";
}
