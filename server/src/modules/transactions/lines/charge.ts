import type { Transaction } from "@purser/contract/transactions/fields";
import {
  type Credit,
  creditUnused,
  paidClockAt,
  payWith,
  totalOf,
} from "#modules/billing/credits.ts";
import { requestDocuments } from "#modules/documents/queries.ts";
import { creditEntry, paymentEntry, type SaleCash, saleEntry } from "#modules/ledger/journal.ts";
import { changeBalance, findBalance, lockBalance, post } from "#modules/ledger/queries.ts";
import type { Db } from "#platform/db/db.ts";
import { refuse } from "#platform/http/problem.ts";
import { refusalOfDispute } from "../rules.ts";
import { splitForSubscription } from "../split/splitCustomers.ts";
import {
  areReleasedFree,
  findDisputedTime,
  findLines,
  findReleasedCredits,
  findTaken,
  insertCredits,
  type LineCredit,
  lockPaidLines,
  moveHeldCredits,
  type StoredLine,
} from "./lineQueries.ts";

/** What a sale takes back of the lines that it replaces, with their names. */
export type PlannedCredit = Credit &
  Pick<StoredLine, "name" | "transactionId" | "number" | "taxAccount"> & {
    lineId: string;
  };

/** How a sale is paid: with credits, the balance and cash. */
export type Charge = { credits: PlannedCredit[]; payment: ReturnType<typeof payWith> };

/** The unused value of a subscription. */
export const creditsOf = async (
  db: Db,
  subscriptionId: string,
  at: Date,
): Promise<PlannedCredit[]> => {
  await splitForSubscription(db, subscriptionId);
  return (await lockPaidLines(db, subscriptionId)).flatMap((line) => {
    const credit = creditUnused(line, paidClockAt(at, line.pauses));
    const { id: lineId, name, transactionId, number, taxAccount } = line;
    return credit ? [{ lineId, name, transactionId, number, taxAccount, ...credit }] : [];
  });
};

/** Refuses to end a subscription early whose unused time is disputed: it would be neither used nor credited. */
export const assertNoDispute = async (db: Db, subscriptionId: string, at: Date) => {
  const disputed = await findDisputedTime(db, subscriptionId, at);
  if (disputed) refuse(refusalOfDispute(disputed.number));
};

/** A credit as the API shows it. */
export const shownCredit = ({
  lineId,
  name,
  transactionId,
  number,
  unused,
  net,
  tax,
  gross,
}: PlannedCredit) => ({
  lineId,
  name,
  transaction: { id: transactionId, number },
  from: unused?.start ?? null,
  until: unused?.end ?? null,
  net,
  tax,
  gross,
});

type Charged = {
  userId: string | null;
  currency: string;
  total: number;
  /** The subscription that the sale replaces. */
  replacedId: string | null;
  at: Date;
  usesBalance: boolean;
};

/** Plans how a sale is paid. Locks what it uses, so that the plan is true when it is recorded. */
export const planCharge = async (
  db: Db,
  { userId, currency, total, replacedId, at, usesBalance }: Charged,
): Promise<Charge> => {
  const credits = replacedId === null ? [] : await creditsOf(db, replacedId, at);
  const balance = usesBalance && userId !== null ? await lockBalance(db, userId, currency) : 0;
  return { credits, payment: payWith(total, { credited: totalOf(credits), balance }) };
};

type About = Pick<Transaction, "id" | "currency"> & { userId: string };

/** Takes the balance and holds the credits until the sale is paid or fails. */
export const holdCharge = async (
  db: Db,
  { id, userId, currency }: About,
  { credits, fromBalance }: { credits: readonly LineCredit[]; fromBalance: number },
) => {
  await insertCredits(db, credits, { transactionId: id, reason: "change", state: "held" });
  await changeBalance(db, {
    userId,
    currency,
    amount: -fromBalance,
    kind: "payment",
    transactionId: id,
  });
};

/** Returns what a sale holds, because it wasn't paid. */
export const releaseCharge = async (db: Db, about: About) => {
  const { id, userId, currency } = about;
  await moveHeldCredits(db, id, "released");
  await changeBalance(db, {
    userId,
    currency,
    amount: await findTaken(db, id),
    kind: "payment returned",
    transactionId: id,
  });
};

/**
 * Holds again what was released when a payment seemed to fail. Returns false if the credits were used for something
 * else in the meantime. Balance that was spent in the meantime is missing from the payment.
 */
export const holdAgain = async (db: Db, about: About, balanceAmount: number) => {
  if (!(await areReleasedFree(db, about.id))) return false;
  const credits = await findReleasedCredits(db, about.id);
  const wanted = balanceAmount - Math.min(totalOf(credits), balanceAmount);
  const available = await lockBalance(db, about.userId, about.currency);
  await holdCharge(db, about, { credits, fromBalance: Math.min(wanted, available) });
  return true;
};

type Settled = About & { total: number; balanceAmount: number; provider: string };

/** Posts a paid sale. The credits of a change go to the balance, which then pays its part of the sale. */
export const settleCharge = async (db: Db, sale: Settled, at: Date) => {
  const { id, userId, currency, balanceAmount, provider } = sale;
  const credits = await moveHeldCredits(db, id, "applied");
  const entered = { userId, currency, transactionId: id };
  await changeBalance(db, { ...entered, amount: totalOf(credits), kind: "credit" });
  const taken = await findTaken(db, id);
  const rest = Math.min(balanceAmount - taken, await findBalance(db, userId, currency));
  await changeBalance(db, { ...entered, amount: -rest, kind: "payment" });
  const about = { sourceId: id, at, ...entered };
  await post(db, creditEntry(credits), about);
  const paid: SaleCash = {
    provider,
    balanceAmount: taken + rest,
    owed: balanceAmount - taken - rest,
  };
  await post(db, saleEntry(await findLines(db, id), paid), about);
  await requestDocuments(db, id);
};

/** A payment for a change that can't be made any more goes to the balance, and nothing of it is earned. */
export const returnToBalance = async (db: Db, sale: Settled, at: Date) => {
  const { id, userId, currency, total, balanceAmount, provider } = sale;
  const lines = await findLines(db, id);
  const credits = lines.map(({ id: lineId, net, tax, gross }) => ({
    lineId,
    unused: null,
    net,
    tax,
    gross,
  }));
  const open = credits.filter(({ gross }) => gross > 0);
  await insertCredits(db, open, { transactionId: null, reason: "undelivered", state: "applied" });
  const amount = total - balanceAmount;
  const entered = { userId, currency, transactionId: id };
  await changeBalance(db, { ...entered, amount, kind: "overpaid" });
  await post(db, paymentEntry({ provider, amount }), { sourceId: id, at, ...entered });
};
