/** Positive is a debit, negative a credit. */
export type Posting = { account: string; amount: number };

export type JournalEntry = {
  kind:
    | "sale"
    | "credit"
    | "refund"
    | "chargeback"
    | "payment"
    | "balance"
    | "fee"
    | "write-off"
    | "opening";
  postings: Posting[];
};

/** An amount with its tax, and the account of the tax. */
export type TaxedAmount = { net: number; tax: number; taxAccount: string };

type TaxFacts = {
  taxTreatment: string;
  taxCountry: string | null;
  taxRegion: string | null;
  taxBasisPoints: number | null;
};

/** One account per country, region and rate; one each for taxes that were entered or reported. */
export const taxAccountOf = ({ taxTreatment, taxCountry, taxRegion, taxBasisPoints }: TaxFacts) =>
  taxTreatment === "rate" && taxCountry !== null && taxBasisPoints !== null
    ? `tax:${taxRegion === null ? taxCountry : `${taxCountry}-${taxRegion.replace(/[^a-zA-Z0-9]/g, "")}`}:${taxBasisPoints}`
    : `tax:${taxTreatment.replaceAll(" ", "-")}`;

const cash = (provider: string) => `cash:${provider}`;

const debit = (account: string, amount: number): Posting => ({ account, amount });
const credit = (account: string, amount: number): Posting => ({ account, amount: -amount });

/** Adds up postings to the same account and drops those of 0. */
const entry = (kind: JournalEntry["kind"], postings: readonly Posting[]): JournalEntry => {
  const sums = new Map<string, number>();
  for (const { account, amount } of postings) sums.set(account, (sums.get(account) ?? 0) + amount);
  return {
    kind,
    postings: [...sums]
      .filter(([, amount]) => amount !== 0)
      .map(([account, amount]) => ({ account, amount })),
  };
};

const earned = (lines: readonly TaxedAmount[]) =>
  lines.flatMap(({ net, tax, taxAccount }) => [credit("revenue", net), credit(taxAccount, tax)]);

const takenBack = (credits: readonly TaxedAmount[]) =>
  credits.flatMap(({ net, tax, taxAccount }) => [debit("revenue", net), debit(taxAccount, tax)]);

const grossOf = (amounts: readonly TaxedAmount[]) =>
  amounts.reduce((sum, { net, tax }) => sum + net + tax, 0);

export type SaleCash = {
  provider: string;
  /** Paid from the balance. */
  balanceAmount: number;
  /** Promised from the balance, but spent before the payment arrived. */
  owed?: number;
};

/** A paid sale, renewal or change. */
export const saleEntry = (
  lines: readonly TaxedAmount[],
  { provider, balanceAmount, owed = 0 }: SaleCash,
) =>
  entry("sale", [
    debit(cash(provider), grossOf(lines) - balanceAmount - owed),
    debit("balance", balanceAmount),
    debit("receivable", owed),
    ...earned(lines),
  ]);

/** Unused value that a change puts on the balance. */
export const creditEntry = (credits: readonly TaxedAmount[]) =>
  entry("credit", [...takenBack(credits), credit("balance", grossOf(credits))]);

/** A refund, of which a part goes to the balance. */
export const refundEntry = (
  credits: readonly TaxedAmount[],
  { provider, balanceAmount }: { provider: string; balanceAmount: number },
) =>
  entry("refund", [
    ...takenBack(credits),
    credit("balance", balanceAmount),
    credit(cash(provider), grossOf(credits) - balanceAmount),
  ]);

/**
 * Money that the bank took back. What was credited before is taken from the balance as far as it is there, and the
 * rest is owed by the customer.
 */
export const chargebackEntry = (
  credits: readonly TaxedAmount[],
  { provider, amount, fromBalance }: { provider: string; amount: number; fromBalance: number },
) =>
  entry("chargeback", [
    ...takenBack(credits),
    debit("balance", fromBalance),
    debit("receivable", amount - grossOf(credits) - fromBalance),
    credit(cash(provider), amount),
  ]);

/** A payment for something that can no longer be delivered. It goes to the balance. */
export const paymentEntry = ({ provider, amount }: { provider: string; amount: number }) =>
  entry("payment", [debit(cash(provider), amount), credit("balance", amount)]);

/** Balance that the team adds, or removes if the amount is negative. */
export const teamCreditEntry = (amount: number) =>
  entry("balance", [debit("team credits", amount), credit("balance", amount)]);

export const feeEntry = ({ provider, amount }: { provider: string; amount: number }) =>
  entry("fee", [debit("fees", amount), credit(cash(provider), amount)]);

/** A customer's debt that is given up, or money that was returned although nothing was left to return. */
export const writeOffEntry = (amount: number, from = "receivable") =>
  entry("write-off", [debit("write-offs", amount), credit(from, amount)]);
