import { verifyAudit } from "../platform/audit/seals.ts";
import { connectAsOwner } from "../platform/db/db.ts";
import { type Command, ownerUrl, UsageError } from "./command.ts";

export const audit: Command = async (config, { rest, print }) => {
  if (rest[0] !== "verify")
    throw new UsageError("Say what to do with the audit log: audit verify.");
  const { db } = connectAsOwner(ownerUrl(config));
  try {
    const broken = await verifyAudit(db);
    if (broken)
      throw new UsageError(`The audit log does not add up: ${broken.what} (${broken.number}).`);
    print("Every entry of the audit log is in place.\n");
  } finally {
    await db.destroy();
  }
};
