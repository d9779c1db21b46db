import type { UserNote } from "@purser/contract/users/notes";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

const notes = statement(
  "users.notes",
  `select n.id, jsonb_build_object('id', a.id, 'name', a.name) as author, n.text, n.created_at as "createdAt",
  n.struck_at as "crossedOutAt" from user_notes n join users a on a.id = n.author_id
  where n.user_id = $1`,
).narrow<UserNote>();
const newest = notes.with("order by n.id desc limit 100");
const one = notes.with("and n.id = $2");

export const findNotes = (db: Db, userId: string) => run(db, newest, [userId]);

export const findNote = (db: Db, userId: string, id: string) => first(db, one, [userId, id]);

/** Locks before reading, so that two requests can't cross out the note at once. */
export const lockNote = async (db: Db, userId: string, id: string) => {
  await run(db, "select from user_notes where id = $1 for update", [id]);
  return findNote(db, userId, id);
};

type NewNote = { userId: string; authorId: string; text: string };

export const insertNote = async (db: Db, given: NewNote) => {
  const { id } = await db
    .insertInto("userNotes")
    .values(given)
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
};

export const crossOutNote = async (db: Db, id: string, now: Date) => {
  await run(db, "update user_notes set struck_at = $2 where id = $1", [id, now]);
};

/** Copies notes unchanged to the record that a customer was merged into. */
export const copyNotes = async (db: Db, from: string, to: string) => {
  await run(
    db,
    `insert into user_notes (user_id, author_id, text, created_at)
     select $2, author_id, text, created_at from user_notes where user_id = $1 and struck_at is null order by id`,
    [from, to],
  );
};
