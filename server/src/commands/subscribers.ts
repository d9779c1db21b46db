import {
  findNextPackages,
  recountSubscribers,
} from "../modules/packages/subscribers/subscriberQueries.ts";
import { connectAsOwner, type Db } from "../platform/db/db.ts";
import { type Command, ownerUrl, UsageError } from "./command.ts";

const recount = async (db: Db, print: (text: string) => unknown) => {
  let corrected = 0;
  const now = new Date();
  const packages = await findNextPackages(db, null, null);
  for (const { id, name } of packages) {
    const corrections = await db
      .transaction()
      .execute((transaction) => recountSubscribers(transaction, id, now));
    if (corrections > 0) print(`Corrected: ${name}\n`);
    corrected += corrections > 0 ? 1 : 0;
  }
  print(`Counted the subscribers of ${packages.length} packages, corrected ${corrected}.\n`);
};

export const subscribers: Command = async (config, { rest, print }) => {
  if (rest[0] !== "recount") throw new UsageError("Usage: purser subscribers recount.");
  const { db } = connectAsOwner(ownerUrl(config));
  try {
    await recount(db, print);
  } finally {
    await db.destroy();
  }
};
