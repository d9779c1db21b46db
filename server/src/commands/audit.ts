import { faultMessage } from "../platform/audit/log.ts";
import { setRetention } from "../platform/audit/retention.ts";
import {
  beginVerifying,
  recordVerification,
  verifyOn,
} from "../platform/audit/verification/verify.ts";
import { connectAsOwner, type Db } from "../platform/db/db.ts";
import { type Command, ownerUrl, UsageError } from "./command.ts";

const tellEveryMs = 5000;
const number = new Intl.NumberFormat("en").format;

type Print = Parameters<Command>[1]["print"];

/** Verifies the whole log, stores the result and prints it. */
export const verifyAuditLog = async (db: Db, print: Print) => {
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
  if (head) print(`Hash of seal ${place.lastSeal}: ${head}. Store it outside of this database.\n`);
};

const monthsMax = 1200;

const keep = async (db: Db, given: string | undefined, print: Print) => {
  const months = given === "forever" ? null : Number(given);
  if (months !== null && !(Number.isInteger(months) && months >= 1 && months <= monthsMax))
    throw new UsageError(`Usage: purser audit keep <1 to ${monthsMax} months>|forever.`);
  await setRetention(db, months);
  print(
    months === null
      ? "The audit log is kept forever.\n"
      : `The audit log is kept for ${months} months. Older months are removed every night.\n`,
  );
};

export const audit: Command = async (config, { rest: [what, given], print }) => {
  if (what !== "verify" && what !== "keep")
    throw new UsageError("Usage: purser audit verify, or purser audit keep <months>|forever.");
  const { db } = connectAsOwner(ownerUrl(config));
  try {
    await (what === "verify" ? verifyAuditLog(db, print) : keep(db, given, print));
  } finally {
    await db.destroy();
  }
};
