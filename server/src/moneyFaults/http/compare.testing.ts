import {
  type Outcome,
  shownCredit,
  sorted,
  walletOf,
} from "#modules/ledger/testing/facts.testing.ts";
import { freeBalance } from "#modules/ledger/testing/oracleCharges.testing.ts";
import type { Line } from "#modules/ledger/testing/oracleLines.testing.ts";
import { total } from "#modules/ledger/testing/oraclePrices.testing.ts";
import { type CustomerRun, customerName } from "./customer.testing.ts";
import type { Stored, StoredLine } from "./stored.testing.ts";

type Amounts = Record<string, number>;

const sumUp = (all: readonly Amounts[]) => {
  const sums: Amounts = {};
  for (const one of all)
    for (const [account, amount] of Object.entries(one))
      sums[account] = (sums[account] ?? 0) + amount;
  return sorted(Object.entries(sums).filter(([, amount]) => amount !== 0));
};

/** The oracle has one entry for a credit of which a part goes back to the payment method. */
const keyOf = (kind: string, name: string, returned: ReadonlySet<string>) =>
  kind === "credit" && returned.has(name) ? `refund ${name}` : `${kind} ${name}`;

const isSomething = ([, postings]: readonly [string, Amounts]) => Object.keys(postings).length > 0;

const expectedEntries = (outcomes: readonly Outcome[]) =>
  sorted(outcomes.flatMap(({ entries }) => Object.entries(entries)).filter(isSomething));

const newEntries = ({ stored, names }: CustomerRun, next: Stored) => {
  const known = new Set(stored.entries.map(({ id }) => id));
  const added = next.entries
    .filter(({ id }) => !known.has(id))
    .map(({ kind, sourceId, postings }) => ({ kind, name: names.get(sourceId) ?? "", postings }));
  const returned = new Set(added.filter(({ kind }) => kind === "refund").map(({ name }) => name));
  const groups = Map.groupBy(added, ({ kind, name }) => keyOf(kind, name, returned));
  return sorted(
    [...groups].map(([key, all]) => [key, sumUp(all.map(({ postings }) => postings))] as const),
  );
};

/** Parts of a line that were taken back together are one: their time, and the sum of their amounts. */
const newCredits = ({ stored, names }: CustomerRun, next: Stored) => {
  const known = new Set(stored.credits.map(({ id }) => id));
  const added = next.credits.filter(({ id, reason }) => !known.has(id) && reason !== "undelivered");
  return [...Map.groupBy(added, ({ lineId }) => lineId)]
    .map(([lineId, all]) => {
      const time = all.find(({ from }) => from);
      return shownCredit({
        line: names.get(lineId) ?? "",
        from: time?.from ? +time.from : null,
        until: +(time?.until ?? 0),
        net: all.reduce((sum, { net }) => sum + net, 0),
        tax: all.reduce((sum, { tax }) => sum + tax, 0),
      });
    })
    .filter((text) => !text.endsWith(" 0 + 0"))
    .sort();
};

const expectedCredits = (outcomes: readonly Outcome[]) =>
  outcomes
    .flatMap(({ credits }) => credits)
    .filter((text) => !text.endsWith(" 0 + 0"))
    .sort();

const shownLine = ({ net, tax, cuts, begins, ends }: Line, isPaid: boolean) => ({
  net: Number(net),
  tax: Number(tax),
  credited: Number(total(cuts.map((cut) => cut.net + cut.tax))),
  creditedTax: Number(total(cuts.map((cut) => cut.tax))),
  from: isPaid && ends !== null ? new Date(begins) : null,
  until: isPaid && ends !== null ? new Date(ends) : null,
});

const expectedLines = ({ oracle }: CustomerRun) =>
  sorted(
    [...oracle.charges.values()]
      .filter(({ state }) => state !== "overpaid")
      .flatMap(({ lines, state }) =>
        lines.map((line) => [line.id, shownLine(line, state === "paid")] as const),
      ),
  );

const storedLines = ({ names, oracle }: CustomerRun, next: Stored) =>
  sorted(
    next.lines
      .filter(
        ({ transactionId }) =>
          oracle.charges.get(names.get(transactionId) ?? "")?.state !== "overpaid",
      )
      .map(({ id, net, tax, credited, creditedTax, from, until }: StoredLine) => [
        names.get(id) ?? "",
        { net, tax, credited, creditedTax, from, until },
      ]),
  );

/** What the database has after a step, and what the oracle says that it must have. */
export const differencesOf = (
  run: CustomerRun,
  next: Stored,
  outcomes: readonly Outcome[],
): string[] => {
  const { oracle, place } = run;
  const wallet = walletOf({ customer: customerName, currency: place.currency });
  const pairs: [string, unknown, unknown][] = [
    ["entries", newEntries(run, next), expectedEntries(outcomes)],
    ["credits", newCredits(run, next), expectedCredits(outcomes)],
    ["lines", storedLines(run, next), expectedLines(run)],
    ["balance", next.balance, Number(freeBalance(oracle, wallet))],
  ];
  return pairs
    .map(([what, is, must]) => [what, JSON.stringify(is), JSON.stringify(must)])
    .filter(([, is, must]) => is !== must)
    .map(([what, is, must]) => `Stored ${what}:\n  ${is}\nexpected:\n  ${must}`);
};
