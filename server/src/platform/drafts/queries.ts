import type { Reply } from "@purser/contract/http/endpoint";
import type { getDraft } from "@purser/contract/workspace/unsavedChanges";
import { type Db, first, run } from "../db/db.ts";
import { statement } from "../db/statement.ts";

const draftsMax = 50;
const keptDays = 30;

type Draft = NonNullable<Reply<typeof getDraft>["draft"]>;

const findDraftSql = statement(
  "platform.findDraft",
  `
  select form, record_version as version, base, value as values, saved_at as "savedAt"
  from drafts where user_id = $1 and form = $2`,
).narrow<Draft>();

export const findDraft = async (db: Db, userId: string, form: string): Promise<Draft | null> =>
  (await first(db, findDraftSql, [userId, form])) ?? null;

// Saves of one user run one after the other, so that two tabs count the same drafts.
const lockUser = "select from users where id = $1 for no key update";

const upsertDraft = `
  insert into drafts (user_id, form, record_version, base, value, saved_at) values ($1, $2, $3, $4, $5, $6)
  on conflict (user_id, form) do update
  set record_version = excluded.record_version, base = excluded.base, value = excluded.value,
    saved_at = excluded.saved_at`;

const deleteOldest = `
  delete from drafts where user_id = $1 and form in (
    select form from drafts where user_id = $1 and form <> $2
    order by saved_at desc, form offset ${draftsMax - 1}
  )`;

/** Saves a draft and deletes the oldest ones beyond the maximum. */
export const storeDraft = async (
  db: Db,
  { userId, form, version, base, values, savedAt }: Draft & { userId: string },
) => {
  const json = [JSON.stringify(base), JSON.stringify(values)];
  await run(db, lockUser, [userId]);
  await run(db, upsertDraft, [userId, form, version, ...json, savedAt]);
  await run(db, deleteOldest, [userId, form]);
};

export const deleteDraft = async (db: Db, userId: string, form: string) => {
  await run(db, "delete from drafts where user_id = $1 and form = $2", [userId, form]);
};

export const deleteOldDrafts = async (db: Db, now: Date) => {
  await db
    .deleteFrom("drafts")
    .where("savedAt", "<", new Date(now.getTime() - keptDays * 86_400_000))
    .execute();
};
