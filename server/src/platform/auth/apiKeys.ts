import type { Config } from "../../config.ts";
import { type Db, first } from "../db/db.ts";
import { type RowOf, statement } from "../db/statement.ts";
import type { Announcements } from "../events/announce.ts";
import { isDatabaseAway } from "../http/errors.ts";
import { Problem } from "../http/problem.ts";
import { openMemory } from "../memory.ts";
import { message } from "../messages.ts";
import { testMark } from "./keyModes.ts";
import { noteUse } from "./keyUse.ts";
import { newSecret } from "./secrets.ts";

/** The prefix shows the kind, so that a server key in a web page is noticed at a glance. */
export const newKeySecret = (kind: CallingKey["kind"], isTest = false) =>
  newSecret(`purser_${kind === "server" ? "sk" : "pk"}_${isTest ? testMark : ""}`);

const lookUp = statement(
  "auth.findKey",
  `
  select id, kind, scopes, origins, expires_at as "expiresAt", last_used_at as "lastUsedAt", app_id as "appId"
  from app_keys
  where secret_hash = $1 and revoked_at is null and (expires_at is null or expires_at > $2)`,
);

/** The API key of the sold app that calls, and with a publishable key the customer of its token. */
export type CallingKey = RowOf<typeof lookUp> & { customer: string | null };

export const assertScope = ({ scopes }: CallingKey, scope: CallingKey["scopes"][number]) => {
  if (!scopes.includes(scope))
    throw new Problem(
      "forbidden",
      message(
        "key_scope_missing",
        "This API key doesn't have the {scope} scope. Use a key that has it.",
        { scope },
      ),
    );
};

type NamedKey = { id: string; appId: string; now: Date };

const validKey = statement(
  "auth.findValidKey",
  `
  select from app_keys
  where id = $1 and app_id = $2 and revoked_at is null and (expires_at is null or expires_at > $3)`,
);

export const isKeyValid = async (db: Db, { id, appId, now }: NamedKey) =>
  (await first(db, validKey, [id, appId, now])) !== undefined;

/** How many keys an instance remembers. */
const keysMax = 10_000;

type Settings = { db: Db; announcements: Announcements; config: Pick<Config, "CHECK_CACHE_MS"> };

/**
 * Finds keys, each at most once a second. A key that is revoked on this instance is refused from the next request on,
 * and on others a moment later. While the database can't be reached, keys that were accepted in the last hour are.
 */
export const openKeys = ({ db, announcements, config }: Settings) => {
  const settings = { freshMs: config.CHECK_CACHE_MS, max: keysMax, isAway: isDatabaseAway };
  const found = openMemory<RowOf<typeof lookUp> | null>(settings);
  const valid = openMemory<boolean>(settings);
  const forget = (changes: { entity: string }[]) => {
    if (!changes.some(({ entity }) => entity === "app_keys")) return;
    found.forget();
    valid.forget();
  };
  announcements.listenHere(forget);
  announcements.listen(forget);

  return {
    find: async (hash: Buffer, now: Date) => {
      const { value: key } = await found.get({
        key: hash.toString("hex"),
        now,
        read: async () => (await first(db, lookUp, [hash, now])) ?? null,
        // An unknown key is looked up each time, because it may have been created meanwhile.
        isValid: (known) => known !== null,
      });
      if (!key || (key.expiresAt !== null && key.expiresAt <= now)) return null;
      noteUse(db, "appKeys", key, now);
      return key;
    },
    isValid: async (key: NamedKey) => {
      const { value } = await valid.get({
        key: `${key.id} ${key.appId}`,
        now: key.now,
        read: () => isKeyValid(db, key),
        isValid: (known) => known,
      });
      return value;
    },
  };
};
export type Keys = ReturnType<typeof openKeys>;
