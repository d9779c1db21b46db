import { type ChargeFact, providerOf, sorted, walletOf } from "./facts.testing.ts";
import type { World } from "./history.testing.ts";
import { type Cut, cutUnused, type Line, worthOf } from "./oracleLines.testing.ts";
import { least, pricesOf, taxAccount, total } from "./oraclePrices.testing.ts";
import { clockAt, later, type Stop } from "./oracleTime.testing.ts";

export type Charge = {
  fact: ChargeFact;
  lines: Line[];
  cuts: Cut[];
  returns: Map<Charge, bigint>;
  payment: { fromCredits: bigint; fromBalance: bigint; due: bigint; toBalance: bigint };
  state: "open" | "withdrawn" | "paid" | "overpaid";
  cash: bigint;
};
/** The current period of a subscription is from its start to its end, and includes free days. */
type Cycle = { anchor: number; paid: number; start: number; end: number; stops: Stop[] };

export type Oracle = {
  world: World;
  charges: Map<string, Charge>;
  cycles: Map<string, Cycle>;
  balances: Map<string, bigint>;
  owed: Map<string, bigint>;
  known: Set<string>;
};

export const newOracle = (world: World): Oracle => ({
  world,
  charges: new Map(),
  cycles: new Map(),
  balances: new Map(),
  owed: new Map(),
  known: new Set(),
});

export type Entries = Record<string, Record<string, number>>;
export type Expected = { entries: Entries; cuts: Cut[]; charge: Charge | null };
export const nothing = (): Expected => ({ entries: {}, cuts: [], charge: null });

export const get = <T>(all: ReadonlyMap<string, T>, id: string | null) => {
  const one = all.get(id ?? "");
  if (!one) throw new Error(`The oracle doesn't know ${id}.`);
  return one;
};

export const entryOf = (postings: readonly (readonly [string, bigint])[]) => {
  const sums = new Map<string, bigint>();
  for (const [account, amount] of postings) sums.set(account, (sums.get(account) ?? 0n) + amount);
  return sorted(
    [...sums].filter(([, sum]) => sum !== 0n).map(([account, sum]) => [account, Number(sum)]),
  );
};

const sold = (lines: readonly Line[]) =>
  lines.flatMap(({ net, tax, account }) => [["revenue", -net] as const, [account, -tax] as const]);
export const unsold = (cuts: readonly Cut[]) =>
  cuts.flatMap(({ net, tax, line }) => [["revenue", net] as const, [line.account, tax] as const]);

export const cashOf = ({ fact }: Charge) => `cash:${providerOf(fact.customer)}`;

export const change = (amounts: Map<string, bigint>, wallet: string, amount: bigint) =>
  amounts.set(wallet, (amounts.get(wallet) ?? 0n) + amount);

export const freeBalance = ({ balances, charges }: Oracle, wallet: string) =>
  [...charges.values()].reduce(
    (free, { state, fact, payment }) =>
      state === "open" && walletOf(fact) === wallet ? free - payment.fromBalance : free,
    balances.get(wallet) ?? 0n,
  );

export const clockOf = ({ cycles }: Oracle, line: Line, at: number) => {
  const stops = cycles.get(line.subscription ?? "")?.stops ?? [];
  return clockAt(
    at,
    line.since,
    stops.filter(({ from }) => from >= line.since),
  );
};

export const cashLeft = ({ charges }: Oracle, charge: Charge) => {
  const held = [...charges.values()].filter(({ state }) => state === "open");
  const left = charge.cash - total(held.map(({ returns }) => returns.get(charge) ?? 0n));
  return left > 0n ? left : 0n;
};

const returnsOf = (oracle: Oracle, cuts: readonly Cut[], rest: bigint) => {
  const returns = new Map<Charge, bigint>();
  let left = rest;
  for (const { line, net, tax } of cuts) {
    const from = [...oracle.charges.values()].find(({ lines }) => lines.includes(line));
    if (!from) continue;
    const already = returns.get(from) ?? 0n;
    const part = least(net + tax, left, cashLeft(oracle, from) - already);
    returns.set(from, already + part);
    left -= part;
  }
  return returns;
};

/** Begin and end of the time that a renewal or a change pays for. */
const plannedTime = ({ world, cycles }: Oracle, fact: ChargeFact) => {
  const [item] = fact.items;
  if (!item || item.interval === "once" || fact.kind === "purchase") return [0, null] as const;
  const cycle = get(cycles, fact.subscription);
  if (fact.keepsPeriod) return [+fact.at, cycle.end] as const;
  const anchor = fact.kind === "change" ? +fact.at : cycle.anchor;
  const paid = fact.kind === "change" ? 0 : cycle.paid;
  const edge = (count: number) =>
    later(world.zone, anchor, item.interval as "month", count * item.intervalCount);
  return [edge(paid), edge(paid + 1)] as const;
};

/** The rest of the current period in relation to a whole interval. */
const shareOf = ({ world, cycles }: Oracle, fact: ChargeFact) => {
  const [item] = fact.items;
  if (!fact.keepsPeriod || !item || item.interval === "once") return { part: 1, whole: 1 };
  const { start, end } = get(cycles, fact.subscription);
  const whole = later(world.zone, start, item.interval, item.intervalCount) - start;
  return { part: Math.min(whole, end - +fact.at), whole };
};

const planLines = (oracle: Oracle, fact: ChargeFact): Line[] => {
  const { currencies } = oracle.world;
  const isIncluded = currencies.some(
    ({ code, taxIncluded }) => code === fact.currency && taxIncluded,
  );
  const prices = pricesOf(fact, isIncluded, shareOf(oracle, fact));
  const [begins, ends] = plannedTime(oracle, fact);
  return fact.items.map(({ id, tax }) => ({
    ...get(prices, id),
    id,
    account: taxAccount(tax),
    begins,
    ends,
    since: +fact.at,
    subscription: fact.subscription,
    cuts: [],
  }));
};

export const planCharge = (oracle: Oracle, fact: ChargeFact): Expected => {
  const lines = planLines(oracle, fact);
  const changed = [...oracle.charges.values()]
    .filter(({ state }) => fact.kind === "change" && state === "paid")
    .flatMap((charge) => charge.lines.filter((line) => line.subscription === fact.subscription));
  const cuts = changed.flatMap((line) => cutUnused(line, clockOf(oracle, line, +fact.at)));
  const [price, credited] = [worthOf(lines), worthOf(cuts)];
  const fromCredits = least(price, credited);
  const balance = fact.useBalance ? freeBalance(oracle, walletOf(fact)) : 0n;
  const fromBalance = least(balance, price - fromCredits);
  const toBalance = credited - fromCredits;
  const payment = { fromCredits, fromBalance, due: price - fromCredits - fromBalance, toBalance };
  const returns = fact.rest === "balance" ? new Map() : returnsOf(oracle, cuts, toBalance);
  const charge: Charge = { fact, lines, cuts, returns, payment, state: "open", cash: 0n };
  oracle.charges.set(fact.id, charge);
  const entries = payment.due === 0n ? settle(oracle, charge, fact.at) : {};
  return { entries, cuts, charge };
};

const startCycles = ({ world, cycles }: Oracle, { fact, lines }: Charge, at: Date) => {
  const anchor = later(world.zone, +at, "day", fact.freeDays);
  for (const [place, line] of lines.entries()) {
    const item = fact.items[place];
    if (!item || item.interval === "once") continue;
    line.begins = anchor;
    line.ends = later(world.zone, anchor, item.interval, item.intervalCount);
    line.since = +at;
    line.subscription = line.id;
    cycles.set(line.id, { anchor, paid: 1, start: +at, end: line.ends, stops: [] });
  }
};

const continueCycle = ({ cycles }: Oracle, { fact, lines }: Charge, at: Date) => {
  const cycle = get(cycles, fact.subscription);
  const isChange = fact.kind === "change";
  const { begins = 0, ends = 0 } = lines[0] ?? {};
  Object.assign(cycle, {
    ...(isChange && { anchor: +fact.at }),
    paid: isChange ? 1 : cycle.paid + 1,
    start: isChange ? +at : begins,
    end: ends,
  });
};

export const settle = (oracle: Oracle, charge: Charge, at: Date): Entries => {
  const { fact, lines, cuts, returns, payment } = charge;
  charge.state = "paid";
  charge.cash = payment.due;
  if (fact.kind === "purchase") startCycles(oracle, charge, at);
  else if (!fact.keepsPeriod) continueCycle(oracle, charge, at);
  for (const [from, amount] of returns) from.cash -= amount;
  const returned = total([...returns.values()]);
  const credited = worthOf(cuts) - returned;
  const spent = payment.fromCredits + payment.fromBalance;
  change(oracle.balances, walletOf(fact), credited - spent);
  const given = entryOf([...unsold(cuts), ["balance", -credited], [cashOf(charge), -returned]]);
  const sale = entryOf([[cashOf(charge), payment.due], ["balance", spent], ...sold(lines)]);
  return {
    ...(cuts.length > 0 && { [`${returned > 0n ? "refund" : "credit"} ${fact.id}`]: given }),
    [`sale ${fact.id}`]: sale,
  };
};
