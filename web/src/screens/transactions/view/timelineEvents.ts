import { t } from "@lingui/core/macro";
import { eventTypes } from "@purser/contract/transactions/fields";
import { money } from "#lib/intl.ts";
import { eventLabels, intervalOf } from "../labels.ts";
import type { Details } from "../queries.ts";

export type TimelineEvent = {
  key: string;
  label: string;
  at: string;
  notes: string[];
  isPlanned?: true;
};

type Event = Details["events"][number];
type Refund = Details["refunds"][number];

const sourceLabels: Record<Event["source"], string> = {
  team: t`by a team member`,
  provider: t`by the provider`,
  system: t`by Purser`,
};

const sourceText = ({ by: name, source }: Event) => (name ? t`by ${name}` : sourceLabels[source]);

/** The upcoming end of the paid period, and the next period if there is one. */
const planOf = ({ grants, refunds, periodEnd, ...stored }: Details, now: Date): TimelineEvent[] => {
  const hasAccess = grants.some(({ isActive }) => isActive);
  if (!periodEnd || !hasAccess || new Date(periodEnd) < now) return [];
  const isEnding = refunds.some(({ access }) => access === "end with period");
  const often = intervalOf(stored);
  return [
    {
      key: "plan",
      label: isEnding ? t`Ends` : t`Renews`,
      at: periodEnd,
      notes: isEnding ? [t`doesn't renew`] : often ? [often] : [],
      isPlanned: true,
    },
  ];
};

const eventOf = (event: Event): TimelineEvent => ({
  key: event.id,
  label: eventLabels[event.type],
  at: event.at,
  notes: [sourceText(event), ...(event.evidence ? [event.evidence] : [])],
});

const refundNotes = ({ total, balanceAmount, currency, number }: Refund) => {
  const amount = money(total, currency);
  const returned = money(balanceAmount, currency);
  const isAll = balanceAmount === total;
  return [
    isAll ? t`${amount} to the balance` : amount,
    ...(balanceAmount > 0 && !isAll ? [t`${returned} of it to the balance`] : []),
    number,
  ];
};

const refundLabel = ({ kind, state }: Refund) => {
  if (kind === "chargeback") return t`Charged back`;
  return state === "succeeded" ? t`Refunded` : t`Refund pending`;
};

const refundOf = (refund: Refund): TimelineEvent => ({
  key: refund.id,
  label: refundLabel(refund),
  at: refund.occurredAt,
  notes: refundNotes(refund),
});

const isReturned = ({ state }: Refund) =>
  state === "succeeded" || state === "pending" || state === "unknown";

const stepOf = ({ type }: Event) => eventTypes.indexOf(type);

/**
 * "Created" is first, even if a sale was recorded later than its payment happened. Events of the same
 * moment are in the usual order of payments, then refunds.
 */
export const timelineOf = (stored: Details, now: Date): TimelineEvent[] => {
  const begins = stored.events.filter(({ type }) => type === "created");
  const others = stored.events.filter(({ type }) => type !== "created");
  return [
    ...begins.map(eventOf),
    ...[
      ...others.toSorted((a, b) => stepOf(a) - stepOf(b)).map(eventOf),
      ...stored.refunds.filter(isReturned).map(refundOf),
    ].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)),
    ...planOf(stored, now),
  ];
};
