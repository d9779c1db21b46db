import { type Db, run } from "#platform/db/db.ts";

type Status = "draft" | "active" | "archived";
export type Action = "activate" | "archive" | "restore";

/** Apps and features start as a draft and are then active and archived in turn. */
const statusBefore = { activate: "draft", archive: "active", restore: "archived" } as const;
export const statusAfter = { activate: "active", archive: "archived", restore: "active" } as const;
type Entity = "app" | "feature";

type Refusal = { code: "wrong_state" | "not_found" | "stale_version"; detail: string };

const requirementOf = (one: Entity, action: Action) => {
  switch (action) {
    case "activate":
      return "Only a draft can be activated.";
    case "archive":
      return `Only an active ${one} can be archived.`;
    case "restore":
      return `Only an archived ${one} can be restored.`;
  }
};

export const refusalOfAction = (one: Entity, status: Status, action: Action): Refusal | null =>
  status === statusBefore[action]
    ? null
    : {
        code: "wrong_state",
        detail: `${requirementOf(one, action)} This one is ${status}.`,
      };

type Stored = { id: string; name: string; status: Status; version: number };
type Target = { id: string; version: number };

const refusalOfTarget = (
  one: Entity,
  stored: Stored | undefined,
  action: Action,
  versionSeen: number,
): Refusal | null => {
  if (!stored)
    return {
      code: "not_found",
      detail: `There is no ${one} with this id. It may have been deleted.`,
    };
  if (stored.version !== versionSeen)
    return {
      code: "stale_version",
      detail: "Somebody saved it since you read it. Look at it again, then decide.",
    };
  return refusalOfAction(one, stored.status, action);
};

/** Decides a bulk action for each record on its own, so that one refusal doesn't stop the others. */
export const decideBulk = (
  one: Entity,
  action: Action,
  { targets, stored }: { targets: readonly Target[]; stored: readonly Stored[] },
) => {
  const byId = new Map(stored.map((record) => [record.id, record]));
  const decided = targets.map(({ id: given, version }) => {
    // A request may spell a UUID in capitals; the database never does.
    const id = given.toLowerCase();
    const record = byId.get(id);
    const refusal = refusalOfTarget(one, record, action, version);
    return { id, name: record?.name ?? "", refusal };
  });
  return {
    allowed: decided.flatMap(({ id, refusal }) => (refusal ? [] : [id])),
    refused: decided.flatMap(({ id, name, refusal }) =>
      refusal ? [{ id, name, ...refusal }] : [],
    ),
  };
};

/** Keeps the time of the first activation, because that locks the code for good. */
export const setStatus = async (
  db: Db,
  table: "apps" | "features" | "packages",
  { ids, status, now }: { ids: readonly string[]; status: Status; now: Date },
) => {
  await run(
    db,
    `update ${table} set status = $2, activated_at = coalesce(activated_at, $3)
     where id = any ($1::uuid[])`,
    [ids, status, now],
  );
};
