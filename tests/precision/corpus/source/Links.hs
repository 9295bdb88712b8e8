-- | Pages of an archive, as <https://docs.example.org/archive.html archive.html> describes them;
-- the old address, <https://docs.example.org/a^b.html a page>, is kept.
module Links where
