-- without transaction

create index concurrently if not exists promotions_drafts on promotions (updated_at)
  where published_at is null and archived_at is null;
