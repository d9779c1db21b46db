import type { Message } from "@purser/contract/messages/message";
import type { Session } from "#platform/auth/sessions/sessions.ts";
import type { Db } from "#platform/db/db.ts";
import { existing, invalidAt, refuse } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";
import { notify } from "#platform/notifications/notifications.ts";
import {
  type About,
  crossOutComment,
  findColleaguesById,
  findComment,
  insertComment,
  lockComment,
} from "./queries.ts";
import { refusalToCrossOut } from "./rules.ts";

type Added = {
  about: About;
  customerId: string | null;
  text: string;
  mentions: readonly string[];
  author: Pick<Session, "userId">;
  /** The notification of mentioned team members, and the page with the comment. */
  notice: Message;
  path: string;
};

const assertColleagues = async (db: Db, ids: readonly string[]) => {
  const found = await findColleaguesById(db, ids);
  if (found.length < ids.length)
    throw invalidAt(
      "/mentions",
      message("mention_unknown", "Only active team members can be mentioned. Remove the others."),
    );
};

/** Adds a comment and notifies the mentioned team members, but not its author. */
export const addComment = async (db: Db, { author, notice, path, ...added }: Added) => {
  const mentions = [...new Set(added.mentions)];
  await assertColleagues(db, mentions);
  const id = await insertComment(db, { ...added, mentions, authorId: author.userId });
  const to = mentions.filter((mentioned) => mentioned !== author.userId);
  await notify(db, { to, kind: "mention", message: notice, path: `${path}#${id}` });
  return existing(await findComment(db, added.about, id), "note");
};

type CrossedOut = { about: About; id: string; session: Pick<Session, "userId">; now: Date };

export const crossOut = async (db: Db, { about, id, session, now }: CrossedOut) => {
  const stored = existing(await lockComment(db, about, id), "note");
  refuse(refusalToCrossOut(stored, session.userId), [stored.author.name]);
  await crossOutComment(db, id, now);
  return existing(await findComment(db, about, id), "note");
};
