import { t } from "@lingui/core/macro";
import { getTransactionActivity } from "@purser/contract/transactions/endpoints";
import {
  accessChoices,
  shownStates,
  transactionKinds,
  transactionLabels,
} from "@purser/contract/transactions/fields";
import { call } from "#lib/api/call.ts";
import { money } from "#lib/intl.ts";
import { formatExact } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { kindLabels, stateLabels } from "#ui/money/transactionLabels.ts";
import { Activity, activityQueryOf, type Entry, historyLabels } from "#ui/record/Activity.tsx";
import { actorName } from "#ui/record/Actor.tsx";
import { accessLabels, nameOf, providerLabel, reasonLabel } from "../labels.ts";
import type { Details } from "../queries.ts";

/** The label of an enum value. Values of older releases are shown as they are. */
const labelIn =
  <Key extends string>(keys: readonly Key[], labelOf: (key: Key) => string) =>
  (value: unknown) => {
    const known = keys.find((key) => key === value);
    return known ? labelOf(known) : String(value);
  };

const columnLabels = (stored: Details, zone: string) => {
  const { currency } = stored;
  const sum = { show: (amount: unknown) => money(Number(amount), currency) };
  const moment = { show: (at: unknown) => formatExact(zone, new Date(String(at))) };
  return historyLabels(transactionLabels, {
    kind: { show: labelIn(transactionKinds, (kind) => kindLabels[kind]) },
    state: { show: labelIn(shownStates, (state) => stateLabels[state].word) },
    userId: { show: () => nameOf(stored.user) },
    packageId: { show: () => stored.package?.name ?? "–" },
    versionId: { show: () => String(stored.package?.number ?? "–") },
    priceId: { show: () => money(stored.subtotal, currency) },
    parentId: { show: () => stored.parent?.number ?? "–" },
    subscriptionId: { show: () => t`Started` },
    subtotal: sum,
    discount: sum,
    tax: sum,
    total: sum,
    balanceAmount: sum,
    refunded: sum,
    taxIncluded: { show: (is) => (is ? t`Yes` : t`No`) },
    periodStart: moment,
    periodEnd: moment,
    occurredAt: moment,
    settledAt: moment,
    access: { show: labelIn(accessChoices, (access) => accessLabels[access]) },
    reason: { show: (reason) => reasonLabel(String(reason)) },
    provider: { show: (provider) => providerLabel(String(provider)) },
    settledBy: { show: (provider) => providerLabel(String(provider)) },
    changesId: { show: () => t`Set` },
    createdBy: { show: (_, { actor }) => actorName(actor) },
    snapshot: { show: () => t`Saved` },
  });
};

const titleOf = ({ action, changes }: Entry) => {
  if (action === "insert") return t`Transaction recorded`;
  const state = changes.find(({ field }) => field === "state")?.after;
  const known = shownStates.find((one) => one === state);
  if (known) return stateLabels[known].word;
  return changes.some(({ field }) => field === "refunded") ? t`Refunded` : t`Transaction changed`;
};

export const TransactionActivity = ({ stored }: { stored: Details }) => {
  const zone = useTimeZone();
  const { id } = stored;
  const query = activityQueryOf("transactions", id, (page) =>
    call(getTransactionActivity, { params: { id }, query: page }),
  );
  return <Activity query={query} titleOf={titleOf} words={columnLabels(stored, zone)} />;
};
