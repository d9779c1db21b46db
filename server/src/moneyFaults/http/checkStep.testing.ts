import type { Fact, Outcome } from "#modules/ledger/testing/facts.testing.ts";
import { expectedOf } from "#modules/ledger/testing/oracle.testing.ts";
import type { Oracle } from "#modules/ledger/testing/oracleCharges.testing.ts";
import { differencesOf } from "./compare.testing.ts";
import { type CustomerRun, cycleOf } from "./customer.testing.ts";
import { readStored, type Stored } from "./stored.testing.ts";

/** What was open and isn't any more, because the subscription ended or was renewed. */
const withdrawn = (run: CustomerRun, next: Stored) =>
  next.transactions.flatMap(({ id, state }) => {
    const charge = run.oracle.charges.get(run.names.get(id) ?? "");
    const isWithdrawn = charge?.state === "open" && state === "canceled";
    return isWithdrawn ? [charge.fact.id] : [];
  });

/** A pause is over when its subscription ends: time passes again. */
const endedPauses = (run: CustomerRun, next: Stored) =>
  run.stored.subscriptions.flatMap((before): Fact[] => {
    const after = next.subscriptions.find(({ id }) => id === before.id);
    const subscription = cycleOf(run, before);
    const isOver = before.status === "paused" && after?.status === "ended";
    return isOver && subscription ? [{ fact: "resume", subscription, at: run.now }] : [];
  });

/** The ID of a new row is the name of what it was recorded for. */
const nameRows = (
  { names }: CustomerRun,
  { transactions, lines, entries }: Stored,
  name: string,
) => {
  for (const { id } of transactions) if (!names.has(id)) names.set(id, name);
  for (const { id, transactionId, position } of lines)
    names.set(id, `${names.get(transactionId)}.${position + 1}`);
  for (const { sourceId } of entries) if (!names.has(sourceId)) names.set(sourceId, name);
};

type Happened = {
  /** The new transaction, refund or balance entry. */
  name: string;
  facts: readonly Fact[];
  /** Facts that the oracle doesn't have a name for. */
  expects?: (oracle: Oracle) => Outcome;
  /** Whether charges that were canceled return what they hold before the facts can use it. */
  releasesFirst?: boolean;
};

/** Tells the oracle what happened, and compares what followed with the database. */
export const checkStep = async (
  run: CustomerRun,
  { name, facts, expects, releasesFirst = false }: Happened,
) => {
  const { oracle, product, user } = run;
  const next = await readStored(product, user.id);
  nameRows(run, next, name);
  const canceled = withdrawn(run, next).map(
    (transaction): Fact => ({ fact: "withdrawal", transaction }),
  );
  const known = facts.flatMap((fact) => (fact.fact === "withdrawal" ? [fact.transaction] : []));
  const others = canceled.filter(
    (fact) => fact.fact !== "withdrawal" || !known.includes(fact.transaction),
  );
  const resumed = endedPauses(run, next);
  const all = releasesFirst ? [...others, ...facts] : facts;
  const outcomes = all.map((fact) => expectedOf(oracle, fact));
  if (expects) outcomes.push(expects(oracle));
  if (!releasesFirst)
    for (const fact of [...others, ...resumed]) outcomes.push(expectedOf(oracle, fact));
  run.story.push(JSON.stringify({ name, facts: all }));
  const differences = differencesOf(run, next, outcomes);
  run.stored = next;
  if (differences.length > 0)
    throw new Error([...differences, "\nStory:", ...run.story].join("\n"));
};
