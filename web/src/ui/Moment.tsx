import { currentTime } from "#lib/time/currentTime.ts";
import { formatDate, formatExact, relativeTime } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";

/** Relative time, with the exact time as a tooltip. */
export const Moment = ({ at }: { at: string }) => {
  const zone = useTimeZone();
  const when = new Date(at);
  return (
    <time dateTime={at} data-tip={formatExact(zone, when)}>
      {relativeTime(when, currentTime()) ?? formatDate(zone, when)}
    </time>
  );
};

/** The date, where the time of day doesn't matter. */
export const Day = ({ at }: { at: string }) => {
  const zone = useTimeZone();
  const when = new Date(at);
  return (
    <time dateTime={at} data-tip={formatExact(zone, when)}>
      {formatDate(zone, when)}
    </time>
  );
};
