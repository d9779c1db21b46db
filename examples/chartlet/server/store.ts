import { randomBytes, randomUUID, scryptSync, timingSafeEqual } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import type { UsageEvent, UsageStorage } from "@purser/client";

export type User = { id: string; email: string; name: string };

const tables = `
  create table if not exists users (id text primary key, email text not null unique, name text not null,
    salt text not null, password text not null, is_known integer not null default 0) strict;
  create table if not exists sessions (token text primary key, user text not null references users) strict;
  create table if not exists usage (id text primary key, user text not null, feature text not null,
    amount integer not null, at text not null) strict;
  create table if not exists webhooks (id text primary key) strict;
  create table if not exists kept (name text primary key, value text not null) strict`;

const hashOf = (password: string, salt: string) => scryptSync(password, salt, 32).toString("hex");

/** What Chartlet stores itself: its users, usage that waits to be sent, and what it last heard from Purser. */
export const openStore = (file: string) => {
  const database = new DatabaseSync(file);
  database.exec(`pragma journal_mode = wal; ${tables}`);
  const run = (sql: string, ...values: (string | number)[]) => database.prepare(sql).run(...values);
  const all = <Row>(sql: string, ...values: string[]) =>
    database.prepare(sql).all(...values) as Row[];

  /** Unsent usage is in the database from the moment it happens, so it survives the end of the process. */
  const usage = (onSent: (events: readonly string[]) => void): UsageStorage => ({
    load: () => all<UsageEvent>("select * from usage order by at"),
    add: ({ id, user, feature, amount, at }) =>
      void run("insert into usage values (?, ?, ?, ?, ?)", id, user, feature, amount, at),
    remove: (ids) => {
      const users = ids.flatMap((id) =>
        all<{ user: string }>("delete from usage where id = ? returning user", id),
      );
      onSent([...new Set(users.map(({ user }) => user))]);
    },
  });

  return {
    addUser: (email: string, name: string, password: string): User | null => {
      const [id, salt] = [`user-${randomUUID()}`, randomBytes(16).toString("hex")];
      const sql = "insert into users values (?, ?, ?, ?, ?, 0) on conflict (email) do nothing";
      const { changes } = run(sql, id, email, name, salt, hashOf(password, salt));
      return changes === 1 ? { id, email, name } : null;
    },
    findUser: (email: string, password: string): User | null => {
      type Row = User & { salt: string; password: string };
      const [row] = all<Row>("select * from users where email = ?", email);
      if (!row) return null;
      const isRight = timingSafeEqual(
        Buffer.from(hashOf(password, row.salt)),
        Buffer.from(row.password),
      );
      return isRight ? row : null;
    },
    startSession: (user: string) => {
      const token = randomBytes(24).toString("base64url");
      run("insert into sessions values (?, ?)", token, user);
      return token;
    },
    endSession: (token: string) => void run("delete from sessions where token = ?", token),
    userOfSession: (token: string) =>
      all<User>(
        "select u.id, u.email, u.name from sessions s join users u on u.id = s.user where token = ?",
        token,
      )[0],
    users: () => all<User>("select id, email, name from users"),
    /** Users that Purser doesn't know yet. */
    unknownUsers: () => all<User>("select id, email, name from users where is_known = 0"),
    setKnown: (user: string) => void run("update users set is_known = 1 where id = ?", user),
    usage,
    /** Whether the webhook is new. Purser sends an event again if a reply was lost. */
    addWebhook: (id: string) =>
      run("insert into webhooks values (?) on conflict do nothing", id).changes === 1,
    /** Like `localStorage`. */
    kept: {
      getItem: (name: string) =>
        all<{ value: string }>("select value from kept where name = ?", name)[0]?.value ?? null,
      setItem: (name: string, value: string) =>
        void run("insert or replace into kept values (?, ?)", name, value),
    },
    close: () => database.close(),
  };
};
export type Store = ReturnType<typeof openStore>;
