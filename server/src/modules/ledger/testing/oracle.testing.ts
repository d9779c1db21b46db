import {
  type Fact,
  type Outcome,
  providerOf,
  type RefundFact,
  shownCredit,
  sorted,
  walletOf,
} from "./facts.testing.ts";
import {
  type Charge,
  cashLeft,
  cashOf,
  change,
  clockOf,
  type Entries,
  type Expected,
  entryOf,
  freeBalance,
  get,
  nothing,
  type Oracle,
  planCharge,
  settle,
  unsold,
} from "./oracleCharges.testing.ts";
import { type Cut, cutAmount, cutUnused, leftOf, worthOf } from "./oracleLines.testing.ts";
import { least } from "./oraclePrices.testing.ts";

// Says what must follow from each fact, with exact fractions and without the product's functions.

const receive = (oracle: Oracle, id: string, at: Date): Entries => {
  const charge = get(oracle.charges, id);
  const { fact, payment, state } = charge;
  if (state === "open") return settle(oracle, charge, at);
  if (state !== "withdrawn") return {};
  charge.state = "overpaid";
  charge.cash += payment.due;
  change(oracle.balances, walletOf(fact), payment.due);
  return {
    [`payment ${id}`]: entryOf([
      [cashOf(charge), payment.due],
      ["balance", -payment.due],
    ]),
  };
};

/** What the charge has taken back is there again. */
const withdraw = ({ charges }: Oracle, id: string) => {
  const charge = get(charges, id);
  charge.state = "withdrawn";
  for (const one of charge.cuts) one.line.cuts = one.line.cuts.filter((other) => other !== one);
};

const refund = (oracle: Oracle, fact: RefundFact): Expected => {
  const charge = get(oracle.charges, fact.transaction);
  const cuts = charge.lines.flatMap((line, place) => {
    if (fact.of === "amount") return cutAmount(line, BigInt(fact.amounts[place] ?? 0));
    // Access without an end is never used up.
    if (fact.of === "full" || line.ends === null) return cutAmount(line, leftOf(line));
    return cutUnused(line, clockOf(oracle, line, +fact.at));
  });
  if (cuts.length === 0) return nothing();
  const amount = worthOf(cuts);
  const cash = fact.to === "balance" ? 0n : least(amount, cashLeft(oracle, charge));
  charge.cash -= cash;
  change(oracle.balances, walletOf(charge.fact), amount - cash);
  const entry = entryOf([...unsold(cuts), ["balance", cash - amount], [cashOf(charge), -cash]]);
  return { entries: { [`refund ${fact.id}`]: entry }, cuts, charge: null };
};

type Taken = { key: string; charge: Charge; amount: bigint };

/** First what is left of the lines, then the balance, then a debt. */
const takeBack = (oracle: Oracle, { key, charge, amount }: Taken): Expected => {
  const wallet = walletOf(charge.fact);
  const cuts: Cut[] = [];
  for (const line of charge.state === "paid" ? charge.lines : [])
    cuts.push(...cutAmount(line, amount - worthOf(cuts)));
  const rest = amount - worthOf(cuts);
  const fromBalance = least(rest, freeBalance(oracle, wallet));
  charge.cash -= amount;
  change(oracle.balances, wallet, -fromBalance);
  change(oracle.owed, wallet, rest - fromBalance);
  const entry = entryOf([
    ...unsold(cuts),
    ["balance", fromBalance],
    ["receivable", rest - fromBalance],
    [cashOf(charge), -amount],
  ]);
  return { entries: { [key]: entry }, cuts, charge: null };
};

const moneyBack = (oracle: Oracle, fact: Extract<Fact, { fact: "money back" }>): Expected => {
  const key = `${fact.amount === null ? "chargeback" : "refund"} ${fact.id}`;
  if (oracle.known.has(key)) return nothing();
  oracle.known.add(key);
  const charge = get(oracle.charges, fact.transaction);
  const paid = charge.payment.due;
  const amount = fact.amount === null ? paid : least(BigInt(fact.amount), paid);
  return takeBack(oracle, { key, charge, amount });
};

const stop = ({ cycles }: Oracle, id: string, at: Date) => {
  get(cycles, id).stops.push({ from: +at, until: null });
};

/** Everything that was paid lasts longer, and the next period is counted from its end. */
const goOn = ({ cycles }: Oracle, id: string, at: Date) => {
  const cycle = get(cycles, id);
  const last = cycle.stops.at(-1);
  if (!last) return;
  last.until = +at;
  cycle.end += +at - last.from;
  Object.assign(cycle, { anchor: cycle.end, paid: 0 });
};

type AmountFact = Extract<Fact, { fact: "fee" | "team credit" | "write-off" }>;

const amountEntry = (oracle: Oracle, fact: AmountFact): Entries => {
  const wallet = walletOf(fact);
  const given = BigInt(fact.amount);
  if (fact.fact === "fee") {
    if (oracle.known.has(fact.id)) return {};
    oracle.known.add(fact.id);
    const cash = `cash:${providerOf(fact.customer)}`;
    return {
      [`fee ${fact.id}`]: entryOf([
        ["fees", given],
        [cash, -given],
      ]),
    };
  }
  if (fact.fact === "write-off") {
    const amount = least(given, oracle.owed.get(wallet) ?? 0n);
    change(oracle.owed, wallet, -amount);
    return {
      [`write-off ${fact.id}`]: entryOf([
        ["write-offs", amount],
        ["receivable", -amount],
      ]),
    };
  }
  const amount = -least(-given, freeBalance(oracle, wallet));
  change(oracle.balances, wallet, amount);
  return {
    [`balance ${fact.id}`]: entryOf([
      ["team credits", amount],
      ["balance", -amount],
    ]),
  };
};

const follow = (oracle: Oracle, fact: Fact): Expected => {
  switch (fact.fact) {
    case "charge":
      return planCharge(oracle, fact);
    case "payment":
      return { ...nothing(), entries: receive(oracle, fact.transaction, fact.at) };
    case "withdrawal":
      withdraw(oracle, fact.transaction);
      return nothing();
    case "pause":
      stop(oracle, fact.subscription, fact.at);
      return nothing();
    case "resume":
      goOn(oracle, fact.subscription, fact.at);
      return nothing();
    case "end":
      return nothing();
    case "refund":
      return refund(oracle, fact);
    case "money back":
      return moneyBack(oracle, fact);
    case "fee":
    case "team credit":
    case "write-off":
      return { ...nothing(), entries: amountEntry(oracle, fact) };
  }
};

const outcomeOf = ({ entries, cuts, charge }: Expected): Outcome => {
  const payment = charge?.payment;
  return {
    lines: sorted(charge?.lines.map(({ id, net, tax }) => [id, [Number(net), Number(tax)]]) ?? []),
    payment: payment
      ? {
          fromCredits: Number(payment.fromCredits),
          fromBalance: Number(payment.fromBalance),
          due: Number(payment.due),
          toBalance: Number(payment.toBalance),
        }
      : null,
    credits: cuts.map(({ line, from, until, net, tax }) =>
      shownCredit({ line: line.id, from, until, net: Number(net), tax: Number(tax) }),
    ),
    entries: sorted(Object.entries(entries)),
  };
};

/** What must follow from a fact. */
export const expectedOf = (oracle: Oracle, fact: Fact) => outcomeOf(follow(oracle, fact));

/** What must follow when the team records that a dispute was lost: the bank takes what wasn't returned before. */
export const expectedOfLostDispute = (oracle: Oracle, id: string, transaction: string) => {
  const charge = get(oracle.charges, transaction);
  const amount = cashLeft(oracle, charge);
  if (amount === 0n) return outcomeOf(nothing());
  return outcomeOf(takeBack(oracle, { key: `chargeback ${id}`, charge, amount }));
};
