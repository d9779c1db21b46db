import { t } from "@lingui/core/macro";
import type { refundScopes } from "@purser/contract/transactions/actions";
import { money } from "#lib/intl.ts";
import { amountError, type EditedAmount } from "#lib/money/amounts.ts";
import type { RefundBody, RefundPreview } from "../queries.ts";

export type Scope = (typeof refundScopes)[number];
export type PreviewLine = RefundPreview["lines"][number];

type Line = Pick<PreviewLine, "lineId" | "refundable" | "unused">;

/** What to refund: everything, the unused time, or the entered amounts by line. */
export type Wish = { of: Scope; entered: { line: Line; amount: EditedAmount }[] };

/** The amount of a line as the dialog shows it. */
export const amountOf = ({ of, entered }: Wish, { lineId, refundable, unused }: Line) => {
  if (of === "full") return refundable;
  if (of === "unused") return unused;
  return entered.find(({ line }) => line.lineId === lineId)?.amount ?? 0;
};

/** Entering amounts starts from those that are shown. */
export const enterAmounts = (wish: Wish, lines: readonly Line[]): Wish => ({
  of: "amount",
  entered: lines.map((line) => ({ line, amount: amountOf(wish, line) })),
});

export const enterAmount = (
  wish: Wish,
  lines: readonly Line[],
  lineId: string,
  amount: EditedAmount,
): Wish => ({
  of: "amount",
  entered: enterAmounts(wish, lines).entered.map((one) =>
    one.line.lineId === lineId ? { ...one, amount } : one,
  ),
});

/** Why this amount of a line can't be refunded, or null. */
export const refusalOf = (amount: EditedAmount, { refundable }: Line, currency: string) => {
  if (typeof amount !== "number") return amountError(amount, currency);
  const max = money(refundable, currency);
  return amount > refundable ? t`At most ${max}.` : null;
};

/** The part of the request that says what to refund. Null if an amount is invalid. */
export const askedOf = (
  { of, entered }: Wish,
  currency: string,
): Pick<RefundBody, "of" | "lines"> | null => {
  if (of !== "amount") return { of };
  if (entered.some(({ line, amount }) => refusalOf(amount, line, currency))) return null;
  return {
    of,
    lines: entered.map(({ line: { lineId }, amount }) => ({ lineId, amount: Number(amount) })),
  };
};

/** The sum of the shown amounts, as far as they are numbers. */
export const sumOf = (wish: Wish, lines: readonly Line[]) =>
  lines.reduce((sum, line) => sum + (Number(amountOf(wish, line)) || 0), 0);
