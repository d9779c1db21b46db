import { moneyWords } from "@purser/contract/money";
import {
  getTransactionActivity,
  shownStates,
  transactionKinds,
} from "@purser/contract/transactions";
import { call } from "#lib/call.ts";
import { useZone } from "#lib/time.ts";
import { exactIn } from "#lib/zones.ts";
import { Activity, activityQueryOf, type ColumnWords, type Entry } from "#ui/Activity.tsx";
import { kindWords, stateWords } from "#ui/transactionWords.ts";
import type { Details } from "./queries.ts";
import { nameOf } from "./words.ts";

const wordIn =
  <Key extends string>(keys: readonly Key[], wordOf: (key: Key) => string) =>
  (value: unknown) => {
    const known = keys.find((key) => key === value);
    return known ? wordOf(known) : String(value);
  };

/** The columns of the database as people call them. */
const columnWords = (stored: Details, zone: string): ColumnWords => {
  const { currency } = stored;
  const money = (label: string) => ({
    label,
    show: (amount: unknown) => moneyWords(Number(amount), currency),
  });
  const moment = (label: string) => ({
    label,
    show: (at: unknown) => exactIn(zone, new Date(String(at))),
  });
  return {
    number: { label: "Number" },
    kind: { label: "Kind", show: wordIn(transactionKinds, (kind) => kindWords[kind]) },
    state: { label: "Status", show: wordIn(shownStates, (state) => stateWords[state].word) },
    userId: { label: "User", show: () => nameOf(stored.user) },
    packageId: { label: "Package", show: () => stored.package?.name ?? "–" },
    versionId: { label: "Version", show: () => String(stored.package?.number ?? "–") },
    priceId: {
      label: "Price",
      show: () => moneyWords(stored.subtotal, currency),
    },
    parentId: { label: "Of", show: () => stored.parent?.number ?? "–" },
    subscriptionId: { label: "Subscription", show: () => "begun" },
    currency: { label: "Currency" },
    subtotal: money("Price"),
    discount: money("Discount"),
    tax: money("Tax"),
    total: money("Total"),
    refunded: money("Refunded"),
    provider: { label: "Provider" },
    reference: { label: "Reference" },
    periodStart: moment("Period from"),
    periodEnd: moment("Period until"),
    access: { label: "Access" },
    occurredAt: moment("Happened"),
    settledAt: moment("Settled"),
    reason: { label: "Reason" },
    note: { label: "Note" },
    tags: { label: "Tags" },
    createdBy: { label: "Recorded by", show: (_, { actor }) => actor.name ?? "somebody" },
    snapshot: { label: "As it was sold", show: () => "kept with it" },
  };
};

const deedOf = ({ action, changes }: Entry) => {
  if (action === "insert") return "recorded the transaction";
  const state = changes.find(({ field }) => field === "state")?.after;
  const known = shownStates.find((one) => one === state);
  if (known) return `made it ${stateWords[known].word.toLowerCase()}`;
  return changes.some(({ field }) => field === "refunded")
    ? "gave money back"
    : "changed the transaction";
};

/** What happened to a transaction. */
export const TransactionActivity = ({ stored }: { stored: Details }) => {
  const zone = useZone();
  const { id } = stored;
  const query = activityQueryOf("transactions", id, (asked) =>
    call(getTransactionActivity, { params: { id }, query: asked }),
  );
  return <Activity query={query} deedOf={deedOf} words={columnWords(stored, zone)} />;
};
