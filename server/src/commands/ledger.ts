import { decimalAmount } from "@purser/contract/fields/amounts";
import {
  type ExportedPosting,
  findAccountCodes,
  readPostings,
} from "../modules/ledger/exportQueries.ts";
import { ledgerRules, verifyRule } from "../modules/ledger/verifyQueries.ts";
import { connectAsOwner, type Db } from "../platform/db/db.ts";
import { csvWriter } from "../platform/lists/cells.ts";
import { type Command, ownerUrl, UsageError } from "./command.ts";

const number = new Intl.NumberFormat("en").format;

const usage = "Usage: purser ledger verify, or purser ledger export --from <date> --until <date>.";

type Print = (text: string) => unknown;

export const verifyLedger = async (db: Db, print: Print) => {
  const differences: string[] = [];
  for (const rule of Object.keys(ledgerRules)) {
    const { count, rows } = await verifyRule(db, rule);
    print(`${count === 0 ? "OK" : number(count).padStart(2)}  ${rule}\n`);
    differences.push(...rows.map((row) => `${rule}: ${JSON.stringify(row)}`));
  }
  if (differences.length > 0)
    throw new UsageError(`Ledger verification failed.\n${differences.join("\n")}`);
  print("The ledger is correct.\n");
};

const day = /^\d{4}-\d{2}-\d{2}$/;

/** The start of a day in UTC. */
const momentOf = (name: string, given: string | undefined) => {
  const at = new Date(`${given}T00:00:00Z`);
  if (!given || !day.test(given) || Number.isNaN(+at))
    throw new UsageError(`Enter ${name} as a date such as 2026-01-31. ${usage}`);
  return at;
};

const columns = [
  ...["date", "entry", "event", "transaction", "customer"],
  ...["account", "code", "currency", "debit", "credit"],
];

const rowOf = (posting: ExportedPosting, codes: Record<string, string>) => {
  const { at, id, kind, account, currency, amount } = posting;
  const value = decimalAmount(Math.abs(amount), currency);
  return {
    ...posting,
    date: at.toISOString(),
    entry: id,
    event: kind,
    code: codes[account.split(":")[0] ?? ""],
    debit: amount > 0 ? value : null,
    credit: amount < 0 ? value : null,
  };
};

const exportJournal = async (db: Db, print: Print, period: Record<"from" | "until", Date>) => {
  const codes = await findAccountCodes(db);
  const { head, line } = csvWriter(columns, "UTC");
  print(head);
  for await (const postings of readPostings(db, period))
    print(postings.map((posting) => line(rowOf(posting, codes))).join(""));
};

export const ledger: Command = async (config, { rest, print, from, until }) => {
  const [action] = rest;
  if (action !== "verify" && action !== "export") throw new UsageError(usage);
  const period =
    action === "export"
      ? { from: momentOf("--from", from), until: momentOf("--until", until) }
      : null;
  const { db } = connectAsOwner(ownerUrl(config));
  try {
    await (period ? exportJournal(db, print, period) : verifyLedger(db, print));
  } finally {
    await db.destroy();
  }
};
