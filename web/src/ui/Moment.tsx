import { agoOf, dateIn, exactIn } from "#lib/time/dates.ts";
import { useZone } from "#lib/time/useTimeZone.ts";

/** A moment as people speak of it, with the exact one at hand. */
export const Moment = ({ at }: { at: string }) => {
  const zone = useZone();
  const when = new Date(at);
  return (
    <time dateTime={at} data-tip={exactIn(zone, when)}>
      {agoOf(when, new Date()) ?? dateIn(zone, when)}
    </time>
  );
};

/** A moment by its date: what matters is the day. */
export const Day = ({ at }: { at: string }) => {
  const zone = useZone();
  const when = new Date(at);
  return (
    <time dateTime={at} data-tip={exactIn(zone, when)}>
      {dateIn(zone, when)}
    </time>
  );
};
