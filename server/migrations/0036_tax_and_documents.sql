alter table settings
  -- The currencies whose prices include the tax.
  add column tax_included text[] not null default '{}',
  -- Name, address, VAT number and bank of the company, for documents.
  add column seller jsonb not null default '{}',
  add column account_codes jsonb not null default '{}',
  add column invoice_prefix text not null default 'INV',
  add column credit_note_prefix text not null default 'CN',
  add column send_documents boolean not null default false,
  add column document_retention_years integer not null default 10,
  add constraint settings_documents check (jsonb_typeof(seller) = 'object' and jsonb_typeof(account_codes) = 'object'
    and invoice_prefix ~ '^[A-Z0-9-]{1,12}$' and credit_note_prefix ~ '^[A-Z0-9-]{1,12}$'
    and invoice_prefix <> credit_note_prefix and document_retention_years between 1 and 30) not valid;
