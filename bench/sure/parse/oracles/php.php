<?php
while (($f = fgets(STDIN)) !== false) {
    try {
        token_get_all(file_get_contents(rtrim($f, "\n")), TOKEN_PARSE);
        echo $f;
    } catch (ParseError $e) {
    }
}
