import { ledgerRules, verifyRule } from "../modules/ledger/verifyQueries.ts";
import { connectAsOwner } from "../platform/db/db.ts";
import { type Command, ownerUrl, UsageError } from "./command.ts";

const number = new Intl.NumberFormat("en").format;

export const ledger: Command = async (config, { rest, print }) => {
  if (rest[0] !== "verify") throw new UsageError("Usage: purser ledger verify.");
  const { db } = connectAsOwner(ownerUrl(config));
  const differences: string[] = [];
  try {
    for (const rule of Object.keys(ledgerRules)) {
      const { count, rows } = await verifyRule(db, rule);
      print(`${count === 0 ? "OK" : number(count).padStart(2)}  ${rule}\n`);
      differences.push(...rows.map((row) => `${rule}: ${JSON.stringify(row)}`));
    }
  } finally {
    await db.destroy();
  }
  if (differences.length > 0)
    throw new UsageError(`Ledger verification failed.\n${differences.join("\n")}`);
  print("The ledger is correct.\n");
};
