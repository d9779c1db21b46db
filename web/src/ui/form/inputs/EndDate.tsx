import "../form.css";
import { TextInput } from "@mantine/core";
import { useState } from "react";
import { clockIn, dateIn, dayMs, momentIn, offsetOf } from "#lib/time/dates.ts";
import { useZone } from "#lib/time/useTimeZone.ts";

const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/** When a day such as 2026-03-01 is over in a zone: whatever is until that day goes on until then. */
const dayEndIn = (zone: string, day: string) =>
  day === "" ? null : momentIn(zone, `${dayOf(new Date(Date.parse(day) + dayMs))}T00:00`);

/** Until when something is given: a last day, or no end. It has to be said which before it is tried. */
export const useUntil = () => {
  const zone = useZone();
  const [hasEnd, setHasEnd] = useState(true);
  const [day, setDay] = useState("");
  const [isTried, setTried] = useState(false);
  const end = hasEnd ? dayEndIn(zone, day) : null;
  const isMissing = hasEnd && end === null;
  const isReady = () => {
    setTried(true);
    return !isMissing;
  };
  const error = isTried && isMissing ? "must be a day, or choose no end" : undefined;
  return { zone, hasEnd, setHasEnd, day, setDay, end, isReady, error };
};

type Props = { until: ReturnType<typeof useUntil>; error: string | undefined };

export const Until = ({ until, error }: Props) => {
  const { zone, hasEnd, setHasEnd, day, setDay, end } = until;
  return (
    <fieldset>
      <legend className="field-label">Until</legend>
      <div className="until">
        {[true, false].map((withEnd) => (
          <label key={String(withEnd)}>
            <input
              type="radio"
              className="round"
              name="until"
              checked={hasEnd === withEnd}
              onChange={() => setHasEnd(withEnd)}
            />
            {withEnd ? "A last day" : "No end"}
          </label>
        ))}
      </div>
      {hasEnd && (
        <TextInput
          type="date"
          name="endsAt"
          aria-label="Last day"
          min={clockIn(zone, new Date()).slice(0, 10)}
          value={day}
          onChange={({ currentTarget }) => setDay(currentTarget.value)}
          error={until.error ?? error}
          description={
            end
              ? `Ends when ${dateIn(zone, new Date(end.getTime() - 1))} is over in ${zone} (${offsetOf(zone, end)}).`
              : `The day counts in ${zone}.`
          }
        />
      )}
    </fieldset>
  );
};
