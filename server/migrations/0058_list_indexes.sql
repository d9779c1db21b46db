-- without transaction

-- Lists stay fast with millions of rows only if an index finds the rows of a filter in the order of the list.
-- Every state except the usual one, instead of some of them.
create index concurrently if not exists transactions_by_state on transactions (state, occurred_at desc, id desc)
  where state <> 'succeeded';
drop index concurrently if exists transactions_unsettled;
-- References of voided transactions may repeat, so the unique index doesn't have them.
create index concurrently if not exists transactions_voided_reference on transactions (reference text_pattern_ops)
  where reference is not null and state = 'voided';
-- What a customer paid, without reading their transactions.
create index concurrently if not exists transactions_paid on transactions (user_id) include (currency, total, refunded)
  where kind in ('purchase', 'renewal', 'change') and state in ('succeeded', 'disputed');
-- Finds the beginning of a code.
create index concurrently if not exists promotion_codes_begins on promotion_codes (code text_pattern_ops)
  include (promotion_id);
-- The code that is shown with a promotion, among a million generated ones.
create index concurrently if not exists promotion_codes_unlimited on promotion_codes (promotion_id, id desc)
  where max_uses is null;
-- Credit notes of an invoice.
create index concurrently if not exists documents_correcting on documents (corrects_id) where corrects_id is not null;
-- The last error of an endpoint.
create index concurrently if not exists webhook_deliveries_failing on webhook_deliveries (endpoint_id, attempted_at desc)
  where state <> 'delivered' and last_error is not null;
-- With the column itself, so that beginnings are counted without reading users.
create index concurrently if not exists users_external_id_starts on users (lower(external_id) text_pattern_ops)
  include (external_id) where external_id is not null;
drop index concurrently if exists users_external_id_begins;
