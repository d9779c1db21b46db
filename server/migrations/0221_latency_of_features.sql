-- The number of checks by duration of each feature, in the buckets of check_rates. It ends with the last bucket in use,
-- so that most rows have only a few. Null in rows of an earlier release.
alter table check_counts add column latencies bigint[];
