-- The sizes of tables by day, to show how fast they grow.
create table storage_sizes (
  day date not null,
  name text not null,
  bytes bigint not null constraint storage_sizes_bytes check (bytes >= 0),
  constraint storage_sizes_pkey primary key (day, name)
);
grant select, insert, update, delete on storage_sizes to purser_app;
