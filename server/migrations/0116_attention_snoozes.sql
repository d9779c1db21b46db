-- A record is snoozed by itself, so how many there were no longer matters.
alter table attention_marks drop constraint attention_marks_snooze;
alter table attention_marks add constraint attention_marks_snoozed
  check ((snoozed_until is null) = (snoozed_by is null)) not valid;
