-- without transaction

-- The features of an app by name, which its page shows. Without it all features are read in the order of their names.
create index concurrently if not exists features_of_app_by_name on features (app_id, lower(name), id);
-- What is counted of an app with very many features, most of which are only on or off.
create index concurrently if not exists features_counted on features (app_id, status, id)
  where kind in ('metered', 'limit');
-- The list sorted by code, which would read all features.
create index concurrently if not exists features_by_code on features (code, id);
