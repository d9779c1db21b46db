import { t } from "@lingui/core/macro";
import { addDays } from "@purser/contract/reports/days";
import { useState } from "react";
import { runtime } from "#lib/page/runtime.ts";
import { currentTime } from "#lib/time/currentTime.ts";
import { localDateTime, parseLocalDateTime } from "#lib/time/localTime.ts";
import { DateField } from "#ui/dates/DateInput.tsx";

const zone = runtime.companyTimeZone;

/** The start of the day after the last day, or null for an incomplete date. */
const endOf = (day: string) =>
  /^\d{4}-\d\d-\d\d$/.test(day)
    ? (parseLocalDateTime(zone, `${addDays(day, 1)}T00:00`)?.toISOString() ?? null)
    : null;

/** The last day that all rows get. */
export const EndDate = ({ onChange }: { onChange: (given: { endsAt: string } | null) => void }) => {
  const [day, setDay] = useState("");
  return (
    <DateField
      zone={zone}
      form="confirm"
      label={t`End date`}
      description={t`In the time zone ${zone}.`}
      min={localDateTime(zone, currentTime()).slice(0, 10)}
      value={day}
      onChange={(value) => {
        setDay(value);
        const endsAt = endOf(value);
        onChange(endsAt === null ? null : { endsAt });
      }}
    />
  );
};
