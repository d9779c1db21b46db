import type { Config } from "../config.ts";
import { findState, lockFigures, setUpForMany } from "../modules/reports/stateQueries.ts";
import { commandPortion, startRebuild, updateFigures } from "../modules/reports/update.ts";
import { figureRules, verifyFigures } from "../modules/reports/verifyQueries.ts";
import { connectAsOwner, type Db } from "../platform/db/db.ts";
import { zoneOf } from "../platform/settings.ts";
import { type Command, ownerUrl, UsageError } from "./command.ts";

type Print = (text: string) => unknown;
type Company = Pick<Config, "COMPANY_TIME_ZONE">;

/** Adds up everything that waits, and finishes a rebuild. */
export const updateAllFigures = async (db: Db, config: Company) => {
  const zone = await zoneOf(config)(db);
  const step = () =>
    db.transaction().execute(async (transaction) => {
      await setUpForMany(transaction);
      return updateFigures(transaction, zone, commandPortion);
    });
  while (await step());
  return zone;
};

const verify = async (db: Db, config: Company, print: Print) => {
  const zone = await updateAllFigures(db, config);
  const differences: string[] = [];
  for (const rule of figureRules) {
    const rows = await verifyFigures(db, rule, zone);
    print(`${rows.length === 0 ? "OK" : "!!"}  ${rule}\n`);
    differences.push(...rows.map((row) => `${rule}: ${JSON.stringify(row)}`));
  }
  if (differences.length > 0)
    throw new UsageError(
      `The figures of reports are wrong. Run \`purser reports rebuild\` to count them again.\n${differences.join("\n")}`,
    );
  print("The figures of reports are correct.\n");
};

const rebuild = async (db: Db, config: Company, print: Print) => {
  const zone = await zoneOf(config)(db);
  const isStarted = await db.transaction().execute(async (transaction) => {
    if (!(await lockFigures(transaction))) return false;
    await startRebuild(transaction, zone);
    return true;
  });
  if (!isStarted) throw new UsageError("A worker is updating the figures. Try again in a moment.");
  await updateAllFigures(db, config);
  const { nextDay, nextCustomer, nextPackageCustomer } = await findState(db);
  print(
    nextDay === null && nextCustomer === null && nextPackageCustomer === null
      ? "Counted the figures of reports again.\n"
      : "A worker is counting the figures of reports again.\n",
  );
};

export const reports: Command = async (config, { rest, print }) => {
  const [action] = rest;
  if (action !== "verify" && action !== "rebuild")
    throw new UsageError("Usage: purser reports verify, or purser reports rebuild.");
  const { db } = connectAsOwner(ownerUrl(config));
  try {
    await (action === "verify" ? verify : rebuild)(db, config, print);
  } finally {
    await db.destroy();
  }
};
