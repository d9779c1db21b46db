import {
  beginVerifying,
  recordVerification,
  verifyOn,
} from "../platform/audit/verification/verify.ts";
import { connectAsOwner } from "../platform/db/db.ts";
import { type Command, ownerUrl, UsageError } from "./command.ts";

const tellEveryMs = 5000;
const number = new Intl.NumberFormat("en").format;

export const audit: Command = async (config, { rest, print }) => {
  if (rest[0] !== "verify")
    throw new UsageError("Say what to do with the audit log: audit verify.");
  const { db } = connectAsOwner(ownerUrl(config));
  try {
    const from = await beginVerifying(db, new Date());
    let toldAt = performance.now();
    const { place, broken } = await verifyOn(db, from, {
      tell: ({ seal, lastSeal, entry, lastEntry }) => {
        if (performance.now() - toldAt < tellEveryMs) return;
        toldAt = performance.now();
        print(
          seal < lastSeal
            ? `Seal ${number(seal)} of ${number(lastSeal)}\n`
            : `Entry ${number(entry)} of ${number(lastEntry)}\n`,
        );
      },
    });
    const head = await recordVerification(db, place, broken);
    if (broken)
      throw new UsageError(`The audit log does not add up: ${broken.what} (${broken.number}).`);
    print("Every entry of the audit log is in place.\n");
    if (head) print(`Seal ${place.lastSeal} ends in ${head}. Keep it outside of this database.\n`);
  } finally {
    await db.destroy();
  }
};
