<?php
// PHP: parse_url, which by its manual does not validate.
while (($line = fgets(STDIN)) !== false) {
    $asked = json_decode($line, true);
    $found = parse_url($asked["text"]);
    $valid = $found !== false && (isset($found["scheme"]) || $asked["rule"] !== "URI");
    echo json_encode(["valid" => $valid, "host" => $found["host"] ?? null], JSON_INVALID_UTF8_SUBSTITUTE), "\n";
}
