-- Which worker moves the test clock, so that one that was late can't continue or end the move of another.
alter table test_clock add column claimed_by uuid;
