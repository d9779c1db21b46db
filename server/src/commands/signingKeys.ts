import type { Config } from "../config.ts";
import { findListedKeys } from "../modules/snapshots/queries.ts";
import { rotateKeys } from "../modules/snapshots/signingKeys.ts";
import { transact } from "../platform/audit/context.ts";
import { readClock } from "../platform/testMode/clock.ts";
import { inBothModes } from "./bothModes.ts";
import { type Command, connectTo, UsageError } from "./command.ts";
import { columnsOf, timeOf } from "./table.ts";

const context = {
  actor: { kind: "system", id: null, name: "signing-keys rotate" },
  address: null,
  requestId: null,
  reason: "Replaced by the operator",
} as const;

type Options = Pick<Parameters<Command>[1], "print"> & { rotates: boolean; force: boolean };

const inOneMode = async (config: Config, { rotates, force, print }: Options) => {
  const { db } = connectTo(config, "purser signing-keys");
  try {
    // The keys of test mode have the times of its clock.
    const clock = await readClock(db);
    const now = new Date(Date.now() + (clock?.aheadMs ?? 0));
    if (rotates) {
      const rotation = { keys: config.SECRET_KEYS, now, force };
      await transact(db, context, (inside) => rotateKeys(inside, rotation));
      print("Snapshots are signed with a new key.\n");
    }
    const found = await findListedKeys(db, now);
    if (found.length === 0)
      return void print("No signing key yet. The first snapshot creates one.\n");
    const rows = found.map(({ id, createdAt, listedUntil }) => [
      ...[id, timeOf(createdAt)],
      listedUntil ? `verifies until ${timeOf(listedUntil)}` : "signs",
    ]);
    print(columnsOf([["key", "created", "status"], ...rows]));
  } finally {
    await db.destroy();
  }
};

/** Lists and replaces the keys that sign snapshots. */
export const signingKeys: Command = async (config, { rest: [action], force = false, print }) => {
  if (action !== undefined && action !== "rotate")
    throw new UsageError("Usage: purser signing-keys, or purser signing-keys rotate.");
  const rotates = action === "rotate";
  await inBothModes(config, print, (one) => inOneMode(one, { rotates, force, print }));
};
