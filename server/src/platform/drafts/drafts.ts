import type { Reply } from "@purser/contract/http/endpoint";
import { getDraft, removeDraft, saveDraft } from "@purser/contract/workspace/unsavedChanges";
import type { FastifyInstance } from "fastify";
import { type Db, run } from "../db/db.ts";
import { statement } from "../db/statement.ts";
import { Problem } from "../http/problem.ts";
import { serve } from "../http/serve.ts";

const draftsMax = 50;
const keptDays = 30;

type Draft = NonNullable<Reply<typeof getDraft>["draft"]>;

const find = statement(
  "platform.findDraft",
  `
  select form, record_version as version, base, value as values, saved_at as "savedAt"
  from drafts where user_id = $1 and form = $2`,
).narrow<Draft>();

// A person's drafts are kept one after the other, so that two tabs count the same ones.
const lockPerson = "select from users where id = $1 for no key update";

const keep = `
  insert into drafts (user_id, form, record_version, base, value, saved_at) values ($1, $2, $3, $4, $5, $6)
  on conflict (user_id, form) do update
  set record_version = excluded.record_version, base = excluded.base, value = excluded.value,
    saved_at = excluded.saved_at`;

const makeRoom = `
  delete from drafts where user_id = $1 and form in (
    select form from drafts where user_id = $1 and form <> $2
    order by saved_at desc, form offset ${draftsMax - 1}
  )`;

const remove = "delete from drafts where user_id = $1 and form = $2";

export const draftRoutes = (app: FastifyInstance) => {
  serve(app, getDraft, async ({ db, params: { form }, session }) => {
    const [draft = null] = await run(db, find, [session.userId, form]);
    return { draft };
  });

  serve(app, saveDraft, async ({ db, params: { form }, body, session: { userId }, now }) => {
    if (body.userId !== userId)
      throw new Problem("forbidden", "Somebody else is signed in now. Sign in again to keep this.");
    const { version, base, values } = body;
    await run(db, lockPerson, [userId]);
    await run(db, keep, [userId, form, version, JSON.stringify(base), JSON.stringify(values), now]);
    await run(db, makeRoom, [userId, form]);
    return { savedAt: now };
  });

  serve(app, removeDraft, async ({ db, params: { form }, session }) => {
    await run(db, remove, [session.userId, form]);
  });
};

export const forgetOldDrafts = (db: Db, now: Date) =>
  db
    .deleteFrom("drafts")
    .where("savedAt", "<", new Date(now.getTime() - keptDays * 86_400_000))
    .execute();
