import type { Db } from "../platform/db/db.ts";
import { type Command, connectTo } from "./command.ts";
import { columnsOf, timeOf } from "./table.ts";

const findKeys = (db: Db) =>
  db
    .selectFrom("appKeys")
    .innerJoin("apps", "apps.id", "appKeys.appId")
    .select(["apps.code as app", "appKeys.name", "appKeys.kind", "appKeys.prefix"])
    .select(["appKeys.lastUsedAt", "appKeys.expiresAt", "appKeys.revokedAt"])
    .orderBy("apps.code")
    .orderBy("appKeys.createdAt")
    .execute();

type Key = Awaited<ReturnType<typeof findKeys>>[number];

const statusOf = ({ revokedAt, expiresAt }: Key, now: Date) => {
  if (revokedAt) return `revoked ${timeOf(revokedAt)}`;
  if (!expiresAt) return "active";
  return `${expiresAt <= now ? "expired" : "active, expires"} ${timeOf(expiresAt)}`;
};

/** The API keys of all apps, for example to find those that are no longer used. */
export const keys: Command = async (config, { print }) => {
  const { db } = connectTo(config, "purser keys");
  try {
    const [found, now] = [await findKeys(db), new Date()];
    if (found.length === 0) return void print("No app has an API key.\n");
    const rows = found.map((key) => [
      ...[key.app, key.name, key.kind, `${key.prefix}…`],
      key.lastUsedAt ? timeOf(key.lastUsedAt) : "never",
      statusOf(key, now),
    ]);
    print(columnsOf([["app", "name", "kind", "key", "last used", "status"], ...rows]));
  } finally {
    await db.destroy();
  }
};
