import type { Db } from "../platform/db/db.ts";
import { type Command, connectTo } from "./command.ts";
import { columnsOf, timeOf } from "./table.ts";

const findAppKeys = (db: Db) =>
  db
    .selectFrom("appKeys")
    .innerJoin("apps", "apps.id", "appKeys.appId")
    .select(["apps.code as holder", "appKeys.name", "appKeys.kind", "appKeys.prefix"])
    .select(["appKeys.lastUsedAt", "appKeys.expiresAt", "appKeys.revokedAt"])
    .orderBy("apps.code")
    .orderBy("appKeys.createdAt")
    .execute();

const findServiceKeys = (db: Db) =>
  db
    .selectFrom("serviceKeys")
    .innerJoin("users", "users.id", "serviceKeys.accountId")
    .select(["users.name as holder", "serviceKeys.name", "serviceKeys.prefix"])
    .select(({ val }) => val("service account").as("kind"))
    .select(["serviceKeys.lastUsedAt", "serviceKeys.expiresAt", "serviceKeys.revokedAt"])
    .orderBy("users.name")
    .orderBy("serviceKeys.id")
    .execute();

type Key = Pick<
  Awaited<ReturnType<typeof findAppKeys>>[number],
  "holder" | "name" | "prefix" | "lastUsedAt" | "expiresAt" | "revokedAt"
> & { kind: string };

const statusOf = ({ revokedAt, expiresAt }: Key, now: Date) => {
  if (revokedAt) return `revoked ${timeOf(revokedAt)}`;
  if (!expiresAt) return "active";
  return `${expiresAt <= now ? "expired" : "active, expires"} ${timeOf(expiresAt)}`;
};

/** The API keys of all apps and service accounts, for example to find those that are no longer used. */
export const keys: Command = async (config, { print }) => {
  const { db } = connectTo(config, "purser keys");
  try {
    const found: Key[] = [...(await findAppKeys(db)), ...(await findServiceKeys(db))];
    if (found.length === 0) return void print("No app or service account has an API key.\n");
    const now = new Date();
    const rows = found.map((key) => [
      ...[key.holder, key.name, key.kind, `${key.prefix}…`],
      key.lastUsedAt ? timeOf(key.lastUsedAt) : "never",
      statusOf(key, now),
    ]);
    print(columnsOf([["app or account", "name", "kind", "key", "last used", "status"], ...rows]));
  } finally {
    await db.destroy();
  }
};
