import { faultMessage } from "../platform/audit/log.ts";
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
  if (rest[0] !== "verify") throw new UsageError("Usage: purser audit verify.");
  const { db } = connectAsOwner(ownerUrl(config));
  try {
    const from = await beginVerifying(db, new Date());
    let toldAt = performance.now();
    const { place, broken } = await verifyOn(db, from, {
      // One for each connection of this command.
      parallel: 2,
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
    if (broken) throw new UsageError(`Audit log verification failed. ${faultMessage(broken).text}`);
    print("The audit log is intact.\n");
    if (head)
      print(`Hash of seal ${place.lastSeal}: ${head}. Store it outside of this database.\n`);
  } finally {
    await db.destroy();
  }
};
