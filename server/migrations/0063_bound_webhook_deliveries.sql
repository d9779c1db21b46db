-- The existing rows become the first partition, which ends with this bound.
select bound_table('webhook_deliveries', uuid_v7_from(month_bound())::text);
