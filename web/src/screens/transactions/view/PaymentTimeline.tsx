import { t } from "@lingui/core/macro";
import { currentTime } from "#lib/time/currentTime.ts";
import { formatDate, formatDateTime, formatExact, formatTime } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import type { Details } from "../queries.ts";
import { timelineOf } from "./timelineEvents.ts";

/** The past and upcoming events of a payment. */
export const PaymentTimeline = ({ stored }: { stored: Details }) => {
  const zone = useTimeZone();
  const events = timelineOf(stored, currentTime());
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
