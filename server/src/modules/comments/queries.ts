import type { EntityName } from "@purser/contract/entities";
import type { Comment, CommentedEntity } from "@purser/contract/workspace/comments";
import { type Db, first, run } from "#platform/db/db.ts";
import { type Statement, statement } from "#platform/db/statement.ts";

/** The record that comments are about. */
export type About = { entity: EntityName; id: string };

const comments = statement(
  "comments.shown",
  `select n.id, jsonb_build_object('id', a.id, 'name', a.name) as author, n.text,
     coalesce((select jsonb_agg(jsonb_build_object('id', m.id, 'name', m.name) order by m.name, m.id)
       from users m where m.id = any (n.mentions)), '[]') as mentions,
     n.created_at as "createdAt", n.struck_at as "crossedOutAt"
   from user_notes n join users a on a.id = n.author_id where n.entity = $1`,
).narrow<Comment>();
const newest = "order by n.id desc limit 100";
const aboutUser = comments.with("and n.user_id = $2 and n.record_id is null");
const aboutRecord = comments.with("and n.record_id = $2");
const newestOf = { user: aboutUser.with(newest), record: aboutRecord.with(newest) };
const oneOf = { user: aboutUser.with("and n.id = $3"), record: aboutRecord.with("and n.id = $3") };

const kindOf = ({ entity }: About) => (entity === "users" ? "user" : "record");

export const findComments = (db: Db, about: About) =>
  run(db, newestOf[kindOf(about)], [about.entity, about.id]);

export const findComment = (db: Db, about: About, id: string) =>
  first(db, oneOf[kindOf(about)], [about.entity, about.id, id]);

/** Locks before reading, so that two requests can't cross out the comment at once. */
export const lockComment = async (db: Db, about: About, id: string) => {
  await run(db, "select from user_notes where id = $1 for update", [id]);
  return findComment(db, about, id);
};

export type NewComment = {
  about: About;
  /** The customer whose record or transaction it is about, so that it is erased with them. */
  customerId: string | null;
  authorId: string;
  text: string;
  mentions: readonly string[];
};

const insertSql = statement(
  "comments.insert",
  `insert into user_notes (entity, record_id, user_id, author_id, text, mentions)
   values ($1, $2, $3, $4, $5, $6) returning id`,
);

export const insertComment = async (
  db: Db,
  { about, customerId, authorId, text, mentions }: NewComment,
) => {
  const recordId = about.entity === "users" ? null : about.id;
  const row = await first(db, insertSql, [
    about.entity,
    recordId,
    customerId,
    authorId,
    text,
    [...mentions],
  ]);
  if (!row) throw new Error("The comment was not inserted.");
  return row.id;
};

export const crossOutComment = async (db: Db, id: string, now: Date) => {
  await run(db, "update user_notes set struck_at = $2 where id = $1", [id, now]);
};

/** Copies notes unchanged to the record that a customer was merged into. */
export const copyNotes = async (db: Db, from: string, to: string) => {
  await run(
    db,
    `insert into user_notes (user_id, author_id, text, mentions, created_at)
     select $2, author_id, text, mentions, created_at from user_notes
     where user_id = $1 and record_id is null and struck_at is null order by id`,
    [from, to],
  );
};

type Commented = { label: string; customerId: string | null };

const commented = (
  name: "apps" | "features" | "packages" | "promotions" | "transactions",
  label: "name" | "number",
  customer: "null::uuid" | "user_id",
) => `select ${label} as label, ${customer} as "customerId" from ${name} where id = $1`;

const commentedSql: Record<CommentedEntity, Statement<Commented>> = {
  apps: statement("comments.app", commented("apps", "name", "null::uuid")),
  features: statement("comments.feature", commented("features", "name", "null::uuid")),
  packages: statement("comments.package", commented("packages", "name", "null::uuid")),
  promotions: statement("comments.promotion", commented("promotions", "name", "null::uuid")),
  transactions: statement("comments.transaction", commented("transactions", "number", "user_id")),
};

/** The name of a record that comments are about, and its customer. */
export const findCommented = (db: Db, entity: CommentedEntity, id: string) =>
  first(db, commentedSql[entity], [id]);

const colleague = statement(
  "comments.colleagues",
  "select id, name from users where role is not null and not is_service and status = 'active'",
);
const colleaguesByName = colleague.with(
  "and ($1::text is null or lower(name) like $1) order by lower(name), id limit 20",
);
const colleaguesById = colleague.with("and id = any ($1::uuid[])");

/** Active team members whose name contains the text. It must be escaped for `like`. */
export const findColleagues = (db: Db, pattern: string | null) =>
  run(db, colleaguesByName, [pattern]);

export const findColleaguesById = (db: Db, ids: readonly string[]) =>
  run(db, colleaguesById, [[...ids]]);
