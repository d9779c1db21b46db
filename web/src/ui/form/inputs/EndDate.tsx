import { t } from "@lingui/core/macro";
import "../form.css";
import { useState } from "react";
import { currentTime } from "#lib/time/currentTime.ts";
import { dayMs, formatDate } from "#lib/time/dates.ts";
import { localDateTime, parseLocalDateTime, utcOffset } from "#lib/time/localTime.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { DateField } from "#ui/dates/DateInput.tsx";
import { isLocalTime } from "#ui/dates/parseDate.ts";

const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/** The end of a day such as 2026-03-01 in a time zone, because the end date is inclusive. */
const dayEndIn = (zone: string, day: string) =>
  isLocalTime(day, false)
    ? parseLocalDateTime(zone, `${dayOf(new Date(Date.parse(day) + dayMs))}T00:00`)
    : null;

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
  const error = isTried && isMissing ? t`Choose an end date or “Never”.` : undefined;
  return { zone, hasEnd, setHasEnd, day, setDay, end, isReady, error };
};

const endText = (zone: string, end: Date) => {
  const date = formatDate(zone, new Date(end.getTime() - 1));
  const offset = utcOffset(zone, end);
  return t`Access lasts through ${date}, ${zone} (${offset}).`;
};

type Props = { until: ReturnType<typeof useEndDate>; error: string | undefined };

export const EndDate = ({ until, error }: Props) => {
  const { zone, hasEnd, setHasEnd, day, setDay, end } = until;
  return (
    <fieldset>
      <legend className="field-label">{t`Access ends`}</legend>
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
            {withEnd ? t`On a date` : t`Never`}
          </label>
        ))}
      </div>
      {hasEnd && (
        <DateField
          name="endsAt"
          zone={zone}
          aria-label={t`End date`}
          min={localDateTime(zone, currentTime()).slice(0, 10)}
          value={day}
          onChange={setDay}
          error={until.error ?? error}
          description={end ? endText(zone, end) : t`In the time zone ${zone}.`}
        />
      )}
    </fieldset>
  );
};
