-- without transaction

create index concurrently if not exists promotions_given_by on promotions (given_by, published_at) where given_by is not null;
create index concurrently if not exists promotions_given_to on promotions (given_to, published_at) where given_to is not null;
alter table promotions validate constraint promotions_given_by;
alter table promotions validate constraint promotions_given_to;
