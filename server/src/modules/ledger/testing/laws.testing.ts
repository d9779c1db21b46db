import type { CreditableLine } from "#modules/billing/credits.ts";
import { keptParts, timePaidTwice } from "./access.testing.ts";
import {
  type Books,
  creditable,
  grossOf,
  paidLines,
  postedFor,
  type SoldLine,
  sumOf,
  walletsOf,
} from "./books.testing.ts";
import { walletOf } from "./facts.testing.ts";
import { expectedOf } from "./oracle.testing.ts";
import { newOracle, type Oracle } from "./oracleCharges.testing.ts";
import { accrued } from "./oracleTime.testing.ts";
import type { Run } from "./reports.testing.ts";

// Every law returns what violates it.

const unbalancedEntries = ({ engine: { books } }: Run) =>
  books.journal
    .filter(({ postings }) => sumOf(postings, ({ amount }) => amount) !== 0)
    .map(({ kind, source }) => `The postings of ${kind} ${source} don't add up to 0.`);

const negativeBalances = ({ engine }: Run) =>
  engine.lowestAvailable < 0 ? [`A balance was ${engine.lowestAvailable}.`] : [];

const overlapsOf = ({ credits }: CreditableLine) => {
  const times = credits
    .flatMap(({ unused }) => unused ?? [])
    .toSorted((one, other) => +one.start - +other.start);
  return times.filter(({ start }, place) => start < (times[place - 1]?.end ?? start));
};

const timeCreditedTwice = ({ engine: { books } }: Run) =>
  paidLines(books).flatMap((line) =>
    overlapsOf(creditable(books, line)).map(
      ({ start }) => `${line.id} is credited twice from ${start.toJSON()} on.`,
    ),
  );

/** Credits and what is kept are the whole line. What is kept is worth the time that isn't credited. */
const wrongRest = (books: Books, line: SoldLine) => {
  const credits = creditable(books, line).credits;
  const kept = [
    line.net - sumOf(credits, ({ net }) => net),
    line.tax - sumOf(credits, ({ tax }) => tax),
  ];
  if (kept.some((part) => part < 0)) return `${line.id} keeps ${kept[0]} + ${kept[1]}.`;
  if (!line.period || credits.some(({ unused }) => !unused)) return null;
  const { start, end } = line.period;
  const upTo = (moment: number) => accrued(BigInt(grossOf(line)), +start, +end, moment);
  const worth = keptParts(books, line).map(({ from, until }) => Number(upTo(until) - upTo(from)));
  const expected = sumOf(worth, (one) => one);
  const rest = sumOf(kept, (one) => one);
  return rest === expected ? null : `${line.id} keeps ${rest} instead of ${expected}.`;
};

const linesThatDontAddUp = ({ engine: { books } }: Run) =>
  paidLines(books).flatMap((line) => wrongRest(books, line) ?? []);

/** What the books say about a customer's money in one currency. */
const bookedFor = ({ engine: { books, steps } }: Run, wallet: string) => {
  const sales = [...books.transactions.values()].filter(({ fact }) => walletOf(fact) === wallet);
  const lines = sales.flatMap((sale) => (sale.state === "paid" ? sale.lines : []));
  const credits = books.credits.filter(
    ({ state, line }) => state === "applied" && lines.includes(line),
  );
  // However often a fee is reported.
  const fees = new Map(
    steps.flatMap(({ fact }) =>
      fact.fact === "fee" && walletOf(fact) === wallet ? [[fact.id, fact.amount]] : [],
    ),
  );
  return {
    received: sumOf(sales, ({ received }) => received),
    returned: sumOf(sales, ({ returned }) => returned),
    fees: sumOf([...fees.values()], (fee) => fee),
    revenue: sumOf(lines, ({ net }) => net) - sumOf(credits, ({ net }) => net),
    tax: sumOf(lines, ({ tax }) => tax) - sumOf(credits, ({ tax }) => tax),
    balance: books.balances.get(wallet) ?? 0,
    receivable: books.receivables.get(wallet) ?? 0,
  };
};

const accountFaults = (run: Run, wallet: string) => {
  const posted = Object.entries(postedFor(run.engine.books, wallet));
  const on = (name: RegExp) =>
    sumOf(
      posted.filter(([account]) => name.test(account)),
      ([, amount]) => amount,
    );
  const { received, returned, fees, revenue, tax, balance, receivable } = bookedFor(run, wallet);
  const [writeOffs, teamCredits] = [on(/^write-offs$/), on(/^team credits$/)];
  // Fees and debts that were given up are paid from the revenue.
  const kept = revenue - fees - writeOffs;
  const pairs: [string, number, number][] = [
    [
      "The sum of all money",
      received + (receivable + writeOffs) + teamCredits,
      kept + tax + balance + returned + fees + writeOffs,
    ],
    ["Cash", on(/^cash:/), received - returned - fees],
    ["Revenue", -on(/^revenue$/), revenue],
    ["Tax", -on(/^tax:/), tax],
    ["The balance", -on(/^balance$/), balance],
    ["The receivable", on(/^receivable$/), receivable],
    ["The fees", on(/^fees$/), fees],
  ];
  return pairs
    .filter(([, is, must]) => is !== must)
    .map(([what, is, must]) => `${what} of ${wallet} is ${is} instead of ${must}.`);
};

const wrongAccounts = (run: Run) =>
  walletsOf(run.history.world).flatMap((wallet) => accountFaults(run, wallet));

/** The oracle after all facts, and where its answers differ. */
const compared = ({ history, engine }: Run) => {
  const oracle = newOracle(history.world);
  for (const { fact, outcome } of engine.steps) {
    const [expected, actual] = [expectedOf(oracle, fact), outcome].map((one) =>
      JSON.stringify(one),
    );
    if (expected !== actual)
      return {
        oracle,
        faults: [`${JSON.stringify(fact)}\n  gave   ${actual}\n  not    ${expected}`],
      };
  }
  return { oracle, faults: [] };
};

const wrongPeriods = ({ engine: { books } }: Run, oracle: Oracle) => {
  const lines = [...oracle.charges.values()].flatMap((charge) => charge.lines);
  const expected = new Map(lines.map((line) => [line.id, line]));
  return paidLines(books)
    .filter(({ id, period }) => (expected.get(id)?.ends ?? null) !== (period && +period.end))
    .map(({ id, period }) => `${id} ends at ${period?.end.toJSON()}.`);
};

const differencesFromOracle = (run: Run) => {
  const { oracle, faults } = compared(run);
  return faults.length > 0 ? faults : wrongPeriods(run, oracle);
};

/** By name, so that a planted fault can say which law finds it. */
const laws = {
  "every entry balances": unbalancedEntries,
  "no balance is below 0": negativeBalances,
  "no time is credited twice": timeCreditedTwice,
  "credits and the kept value are the whole line": linesThatDontAddUp,
  "the journal has all money": wrongAccounts,
  "no time is paid twice": timePaidTwice,
  "the oracle agrees": differencesFromOracle,
};

/** What violates the laws, by law. */
export const violationsOf = (run: Run) =>
  Object.entries(laws)
    .map(([law, find]) => ({ law, faults: find(run) }))
    .filter(({ faults }) => faults.length > 0);

/** What happened, and what followed from it. */
export const storyOf = ({ engine: { steps } }: Run) =>
  steps
    .map(({ fact, outcome: { payment, credits, entries } }) => {
      const followed = {
        ...(payment && { payment }),
        ...(credits.length > 0 && { credits }),
        ...entries,
      };
      return `\n- ${JSON.stringify(fact)}\n  ${JSON.stringify(followed)}`;
    })
    .join("");
