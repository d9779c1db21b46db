import { t } from "@lingui/core/macro";
import { useDebouncedValue } from "@mantine/hooks";
import type { AccessChoice } from "@purser/contract/transactions/fields";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { EditedAmount } from "#lib/money/amounts.ts";
import { type RefundBody, type RefundPreview, refundQuery, type Transaction } from "../queries.ts";
import type { Destination } from "./RefundChoices.tsx";
import {
  amountOf,
  askedOf,
  enterAmount,
  enterAmounts,
  type PreviewLine,
  refusalOf,
  type Scope,
  sumOf,
  type Wish,
} from "./refundAmounts.ts";

const delayMs = 150;

/** The preview of a refund. Old amounts are kept while new ones load. */
const usePreview = (id: string, body: RefundBody | null) => {
  const wanted = JSON.stringify(body);
  const [requested] = useDebouncedValue(wanted, delayMs);
  const { data, error, isPlaceholderData } = useQuery(refundQuery(id, JSON.parse(requested)));
  const isLate = body !== null && (requested !== wanted || isPlaceholderData || !data);
  return { data, error, isLate: isLate && !error };
};

/** The dialog's inputs and their preview. */
export const useRefund = ({ id, currency }: Transaction) => {
  const [wish, setWish] = useState<Wish>({ of: "full", entered: [] });
  const [to, setTo] = useState<Destination>("payment method");
  const [access, setAccess] = useState<AccessChoice | null>(null);
  const [isChecked, setChecked] = useState(false);
  // Kept after a refused amount, so that it can be corrected.
  const [known, setKnown] = useState<RefundPreview>();
  const lines = known?.lines ?? [];
  const isTooMuch = lines.some((line) => {
    const amount = amountOf(wish, line);
    return typeof amount === "number" && refusalOf(amount, line, currency) !== null;
  });
  const asked = isTooMuch ? null : askedOf(wish, currency);
  // Amounts don't depend on access, and this choice counts what the customer would lose.
  const { data, error, isLate } = usePreview(id, asked && { ...asked, access: "end now" });
  if (data && data !== known) setKnown(data);
  const preview = data ?? known;
  const sum = sumOf(wish, lines);
  return {
    wish,
    to,
    access,
    preview,
    error,
    isLate,
    /** Null while an amount is invalid. */
    sum: asked ? sum : null,
    setTo,
    setAccess,
    setScope: (of: Scope) =>
      setWish(of === "amount" ? enterAmounts(wish, lines) : { of, entered: [] }),
    setAmount: (lineId: string, amount: EditedAmount) =>
      setWish(enterAmount(wish, lines, lineId, amount)),
    /** A number that isn't finished yet is an error only after submitting. */
    refusalOfLine: (line: PreviewLine) => {
      const amount = amountOf(wish, line);
      return isChecked || typeof amount === "number" ? refusalOf(amount, line, currency) : null;
    },
    refusalOfSum: isChecked && asked && sum === 0 ? t`Enter an amount to refund.` : null,
    refusalOfAccess:
      isChecked && access === null ? t`Choose what happens to the customer's access.` : null,
    /** The choices to send. Null if something is missing. */
    choices: asked && sum > 0 && access ? { ...asked, to, access } : null,
    markChecked: () => setChecked(true),
  };
};

export type Refund = ReturnType<typeof useRefund>;
