-- Where customers read more about an app. It is shown as a link, so nothing but https may be stored.
alter table apps add column website text
  constraint apps_website check (website ~ '^https://' and length(website) <= 200);
