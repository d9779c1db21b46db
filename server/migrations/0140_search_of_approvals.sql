-- without transaction

-- A search of approvals looks for parts of their summaries and reasons. Without an index it reads all of them.
create index concurrently if not exists approvals_search on approvals
  using gin (lower(summary) gin_trgm_ops, lower(reason) gin_trgm_ops);
