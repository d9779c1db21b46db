import { formatMoney } from "@purser/contract/fields/money";
import { getTransactionActivity } from "@purser/contract/transactions/endpoints";
import {
  shownStates,
  transactionKinds,
  transactionLabels,
} from "@purser/contract/transactions/fields";
import { call } from "#lib/api/call.ts";
import { formatExact } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { kindLabels, stateLabels } from "#ui/money/transactionLabels.ts";
import { Activity, activityQueryOf, type Entry, historyLabels } from "#ui/record/Activity.tsx";
import { nameOf } from "../labels.ts";
import type { Details } from "../queries.ts";

const wordIn =
  <Key extends string>(keys: readonly Key[], wordOf: (key: Key) => string) =>
  (value: unknown) => {
    const known = keys.find((key) => key === value);
    return known ? wordOf(known) : String(value);
  };

const columnLabels = (stored: Details, zone: string) => {
  const { currency } = stored;
  const money = { show: (amount: unknown) => formatMoney(Number(amount), currency) };
  const moment = { show: (at: unknown) => formatExact(zone, new Date(String(at))) };
  return historyLabels(transactionLabels, {
    kind: { show: wordIn(transactionKinds, (kind) => kindLabels[kind]) },
    state: { show: wordIn(shownStates, (state) => stateLabels[state].word) },
    userId: { show: () => nameOf(stored.user) },
    packageId: { show: () => stored.package?.name ?? "–" },
    versionId: { show: () => String(stored.package?.number ?? "–") },
    priceId: { show: () => formatMoney(stored.subtotal, currency) },
    parentId: { show: () => stored.parent?.number ?? "–" },
    subscriptionId: { show: () => "begun" },
    subtotal: money,
    discount: money,
    tax: money,
    total: money,
    refunded: money,
    periodStart: moment,
    periodEnd: moment,
    occurredAt: moment,
    settledAt: moment,
    createdBy: { show: (_, { actor }) => actor.name ?? "somebody" },
    snapshot: { show: () => "kept with it" },
  });
};

const deedOf = ({ action, changes }: Entry) => {
  if (action === "insert") return "recorded the transaction";
  const state = changes.find(({ field }) => field === "state")?.after;
  const known = shownStates.find((one) => one === state);
  if (known) return `made it ${stateLabels[known].word.toLowerCase()}`;
  return changes.some(({ field }) => field === "refunded")
    ? "gave money back"
    : "changed the transaction";
};

export const TransactionActivity = ({ stored }: { stored: Details }) => {
  const zone = useTimeZone();
  const { id } = stored;
  const query = activityQueryOf("transactions", id, (asked) =>
    call(getTransactionActivity, { params: { id }, query: asked }),
  );
  return <Activity query={query} deedOf={deedOf} words={columnLabels(stored, zone)} />;
};
