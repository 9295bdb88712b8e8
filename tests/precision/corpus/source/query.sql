-- https://docs.example.org/sql.
SELECT 'https://www.example.org/a', 'https://www.example.org/it''s';
INSERT INTO t VALUES ('https://www.example.org/é');
WHERE url LIKE 'http://%.example.org/%';
INSERT INTO t VALUES (1,'https://www.example.org/a^b');
