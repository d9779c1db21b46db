-- What a team member gave one customer with a discount, which counts toward the limits of refunds. Null for promotions
-- and for discounts of earlier versions.
alter table promotions
  add column given_by uuid,
  add column given_to uuid,
  add column given_amount bigint,
  add column given_currency text,
  add constraint promotions_given_by foreign key (given_by) references users (id) not valid,
  add constraint promotions_given_to foreign key (given_to) references users (id) not valid;
