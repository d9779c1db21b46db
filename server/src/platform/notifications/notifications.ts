import type { Message } from "@purser/contract/messages/message";
import type { Notification } from "@purser/contract/workspace/notifications";
import { unreadMax } from "@purser/contract/workspace/unread";
import { type Db, first, run } from "../db/db.ts";
import { statement } from "../db/statement.ts";

export type Notice = {
  to: readonly string[];
  kind: Notification["kind"];
  /** Without names of customers, because it isn't erased with them. */
  message: Message;
  /** The page that it is about. */
  path: string;
};

/** Notifies team members with the bell. Open pages show it after the commit. */
export const notify = async (db: Db, { to, kind, message, path }: Notice) => {
  if (to.length === 0) return;
  await run(
    db,
    `insert into notifications (user_id, kind, message, path)
     select user_id, $2, $3::jsonb, $4 from unnest($1::uuid[]) as readers (user_id)`,
    [[...new Set(to)], kind, JSON.stringify(message), path],
  );
};

const latestSql = statement(
  "notifications.latest",
  `select id, kind, message, path, created_at as "createdAt", read_at as "readAt" from notifications
   where user_id = $1 order by id desc limit 50`,
).narrow<Pick<Notification, "kind" | "message">>();

export const findLatest = (db: Db, userId: string) => run(db, latestSql, [userId]);

const countUnreadSql = statement(
  "notifications.countUnread",
  `select count(*)::int as unread from (
     select from notifications where user_id = $1 and read_at is null limit ${unreadMax}
   ) unread`,
).narrow<{ unread: number }>();

export const countUnread = async (db: Db, userId: string) =>
  (await first(db, countUnreadSql, [userId]))?.unread ?? 0;

// As the trigger announces new ones: other pages of the same user show them as read, too.
const announceSql = statement(
  "notifications.announceRead",
  `select set_config('purser.changed', ltrim(
     coalesce(current_setting('purser.changed', true), '') || ' notifications:' || $1::uuid || ':update'), true)`,
);

type Read = { until?: string | undefined; only?: string | undefined; now: Date };

export const markRead = async (db: Db, userId: string, { until, only, now }: Read) => {
  await run(
    db,
    `update notifications set read_at = $2 where user_id = $1 and read_at is null
       and ($3::uuid is null or id <= $3) and ($4::uuid is null or id = $4)`,
    [userId, now, until ?? null, only ?? null],
  );
  await run(db, announceSql, [userId]);
};

const removeOldSql = statement(
  "notifications.removeOld",
  `with old as (
     select id from notifications where id < uuid_v7_from($1::timestamptz) order by id limit $2::int
   ), removed as (
     delete from notifications n using old where n.id = old.id returning 1
   ) select count(*)::int as rows from removed`,
).narrow<{ rows: number }>();

/** Removes at most one batch of those from before this moment, and returns how many. */
export const removeOldNotifications = async (db: Db, before: Date, batch: number) =>
  (await first(db, removeOldSql, [before, batch]))?.rows ?? 0;
