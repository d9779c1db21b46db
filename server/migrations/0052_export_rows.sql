-- The number of rows in an exported file, known when it ends.

alter table exports add column rows integer;
grant update (rows) on exports to purser_app;
