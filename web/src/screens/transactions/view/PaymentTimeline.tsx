import { t } from "@lingui/core/macro";
import { eventTypes } from "@purser/contract/transactions/fields";
import { formatDate, formatDateTime, formatExact, formatTime } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { eventLabels, intervalOf } from "../labels.ts";
import type { Details } from "../queries.ts";

type TimelineEvent = { key: string; label: string; at: string; notes: string[]; isPlanned?: true };

type Event = Details["events"][number];

const sourceLabels: Record<Event["source"], string> = {
  team: t`by a team member`,
  provider: t`by the provider`,
  system: t`by Purser`,
};

const sourceText = ({ by: name, source }: Event) => (name ? t`by ${name}` : sourceLabels[source]);

/** The upcoming end of the paid period, and the next period if there is one. */
const planOf = ({ grants, refunds, periodEnd, ...stored }: Details): TimelineEvent[] => {
  const hasAccess = grants.some(({ isActive }) => isActive);
  if (!periodEnd || !hasAccess || new Date(periodEnd) < new Date()) return [];
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

const stepOf = ({ type }: Event) => eventTypes.indexOf(type);

/**
 * "Created" is first, even if a sale was recorded later than its payment happened. Events of the same
 * moment are in the usual order of payments.
 */
const inOrder = (events: Details["events"]) => {
  const begins = events.filter(({ type }) => type === "created");
  const goesOn = events
    .filter(({ type }) => type !== "created")
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at) || stepOf(a) - stepOf(b));
  return [...begins, ...goesOn];
};

const timelineOf = (stored: Details): TimelineEvent[] => [
  ...inOrder(stored.events).map((event) => ({
    key: event.id,
    label: eventLabels[event.type],
    at: event.at,
    notes: [sourceText(event), ...(event.evidence ? [event.evidence] : [])],
  })),
  ...planOf(stored),
];

/** The past and upcoming events of a payment. */
export const PaymentTimeline = ({ stored }: { stored: Details }) => {
  const zone = useTimeZone();
  const events = timelineOf(stored);
  const here = events.findLastIndex(({ isPlanned }) => !isPlanned);
  const dayOf = (at: string | undefined) => (at ? formatDate(zone, new Date(at)) : "");
  return (
    <section aria-label={t`Timeline`}>
      <ol className="payment-timeline" style={{ "--events": events.length } as object}>
        {events.map(({ key, label, at, notes, isPlanned }, place) => {
          const when = new Date(at);
          const isSameDay = dayOf(events[place - 1]?.at) === dayOf(at);
          return (
            <li
              key={key}
              {...(isPlanned && { "data-planned": true })}
              {...(place === here && { "data-here": true })}
            >
              <i aria-hidden="true" />
              <b>{label}</b>
              <time dateTime={at} data-tip={formatExact(zone, when)}>
                {isPlanned && dayOf(at)}
                {!isPlanned && (isSameDay ? formatTime : formatDateTime)(zone, when)}
              </time>
              {notes.map((note) => (
                <small key={note}>{note}</small>
              ))}
            </li>
          );
        })}
      </ol>
    </section>
  );
};
