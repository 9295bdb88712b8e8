<?php
/**
 * @link https://docs.example.org/5/text.html#Shop\Text::cut
 */
