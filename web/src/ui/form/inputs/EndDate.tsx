import "../form.css";
import { TextInput } from "@mantine/core";
import { useState } from "react";
import {
  dayMs,
  formatDate,
  localDateTime,
  parseLocalDateTime,
  utcOffset,
} from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";

const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/** The end of a day such as 2026-03-01 in a time zone, because the end date is inclusive. */
const dayEndIn = (zone: string, day: string) =>
  day === "" ? null : parseLocalDateTime(zone, `${dayOf(new Date(Date.parse(day) + dayMs))}T00:00`);

/** State of the end date: a day, or no end. One of them must be chosen before submitting. */
export const useEndDate = () => {
  const zone = useTimeZone();
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

type Props = { until: ReturnType<typeof useEndDate>; error: string | undefined };

export const EndDate = ({ until, error }: Props) => {
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
          min={localDateTime(zone, new Date()).slice(0, 10)}
          value={day}
          onChange={({ currentTarget }) => setDay(currentTarget.value)}
          error={until.error ?? error}
          description={
            end
              ? `Ends when ${formatDate(zone, new Date(end.getTime() - 1))} is over in ${zone} (${utcOffset(zone, end)}).`
              : `The day counts in ${zone}.`
          }
        />
      )}
    </fieldset>
  );
};
