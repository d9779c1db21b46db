-- Rewrites the messages of triggers and gives each a reason: `problem_<code>` becomes `problem_<code>__<reason>`. The
-- rules themselves stay the same, so only the texts in the functions are replaced.
do $$
declare
  change record;
  definition text;
  place int;
begin
  for change in
    select * from (values
      ('keep_an_owner', 'last_owner', 'last_owner_required',
        'Make somebody else an active owner first.',
        'Assign another active owner first.'),
      ('keep_code', 'frozen', 'promotion_code_immutable',
        'A code stays as it was made. Make another one.',
        'Promotion codes can''t be changed. Create a new one.'),
      ('keep_feature_app', 'frozen', 'feature_app_fixed',
        'A feature stays with its app. Create another one in the other app.',
        'A feature can''t be moved to another app. Create a new feature there.'),
      ('keep_given_feature', 'frozen', 'feature_granted',
        'Somebody was given this feature: its kind and the given options stay.',
        'Customers have been granted this feature. Its type and the granted options can''t be changed.'),
      ('keep_grant', 'frozen', 'grant_immutable',
        'A grant is never edited, only revoked, shortened or superseded.',
        'Grants can''t be edited. Revoke this one and create a new one.'),
      ('keep_merged', 'wrong_state', 'merged_record_closed',
        'This record was merged into another one and stays closed. Work with that one.',
        'This customer was merged into another one. Use that record instead.'),
      ('keep_note', 'frozen', 'note_immutable',
        'A note stays as it was written. Strike it, and write another.',
        'Notes can''t be edited, only crossed out.'),
      ('keep_person', 'frozen', 'customer_identifiers_fixed',
        'What the sold apps call this person was set once, and stays. Leave it as it is.',
        'The number and external ID of a customer can''t be changed.'),
      ('keep_provider_event', 'frozen', 'provider_event_immutable',
        'What a provider told stays as it came in.',
        'Provider events can''t be changed.'),
      ('keep_published_code', 'code_frozen', 'package_code_fixed',
        'Other programs already use the code. Create another package to use another code.',
        'This code is in use and can''t be changed. Create a new package instead.'),
      ('keep_redemption', 'frozen', 'redemption_immutable',
        'A use of a promotion is never edited, only given back.',
        'Redemptions can''t be edited, only restored.'),
      ('keep_transaction', 'frozen', 'transaction_not_deletable',
        'A transaction is never deleted once it was recorded. Void it, or refund it.',
        'This transaction can''t be deleted. Void or refund it instead.'),
      ('keep_transaction', 'wrong_state', 'transaction_status_fixed',
        'A transaction that is % cannot become %.'', old.state, new.state',
        'This transaction can''t change to this status.'),
      ('keep_transaction', 'frozen', 'transaction_immutable',
        'What was recorded of money never changes. Refund it, or record another.',
        'Transactions can''t be edited. To correct a mistake, refund it or record a new one.'),
      ('keep_used_code', 'code_frozen', 'app_code_fixed',
        'Other programs already use the code. Create another app to use another code.',
        'This code is in use and can''t be changed. Create a new app instead.'),
      ('keep_used_feature', 'frozen', 'feature_in_use',
        'Packages already use this feature: its code, kind, unit, reset, combining and used options stay.',
        'Packages include this feature. Its code, type, unit, reset interval, rule for several packages and used options can''t be changed.'),
      ('keep_used_parts', 'frozen', 'promotion_used_targets',
        'Somebody has used this promotion: its value, targets and audience stay.',
        'This promotion has been used. Its discount, targets and audience can''t be changed.'),
      ('keep_used_promotion', 'frozen', 'promotion_used',
        'Somebody has used this promotion: its value, targets, audience and start stay, and limits only grow.',
        'This promotion has been used. Its discount, targets, audience and start date can''t be changed, and limits can only be increased.'),
      ('keep_version', 'frozen', 'version_not_deletable',
        'A published version is never deleted.',
        'Published versions can''t be deleted.'),
      ('keep_version', 'wrong_state', 'version_status_fixed',
        'A version that is % cannot become %.'', old.state, new.state',
        'This version can''t change to this status.'),
      ('keep_version', 'frozen', 'version_immutable',
        'A published version never changes. Start a draft instead.',
        'Published versions can''t be changed. Create a draft instead.'),
      ('keep_version_parts', 'frozen', 'version_immutable',
        'A published version never changes. Start a draft instead.',
        'Published versions can''t be changed. Create a draft instead.')
    ) as changes (name, code, reason, old_text, new_text)
  loop
    definition := pg_get_functiondef(change.name::regproc);
    if change.old_text not like '%new.state' then change.old_text := change.old_text || ''''; end if;
    place := strpos(definition, '''' || change.old_text);
    if place = 0 then raise exception '% does not raise %', change.name, change.old_text; end if;
    execute left(definition, place - 1) || quote_literal(change.new_text) || regexp_replace(
      substr(definition, place + 1 + length(change.old_text)),
      '''problem_' || change.code || '''',
      '''problem_' || change.code || '__' || change.reason || ''''
    );
  end loop;
end
$$;
