-- One promotion can have nearly all codes, and then a sample of the table finds few other promotions. The planner would
-- expect many codes of each, and read all of them to find one of a promotion with a single code. So it is told that a
-- promotion has one percent of the codes.
alter table promotion_codes alter column promotion_id set (n_distinct = 100);
