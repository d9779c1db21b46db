import { t } from "@lingui/core/macro";
import { useState } from "react";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { DateField } from "#ui/dates/DateInput.tsx";

type Props = { value: string; isRange: boolean };

/** A day, or the first and last day of a range. */
export const DayInputs = ({ value, isRange }: Props) => {
  const zone = useTimeZone();
  const [from = "", to = ""] = value.split(",");
  const [first, setFirst] = useState(from);
  const [last, setLast] = useState(to);
  return (
    <>
      <DateField
        required
        aria-label={isRange ? t`From` : t`Value`}
        zone={zone}
        value={first}
        onChange={setFirst}
      />
      <input type="hidden" name="value" value={first} />
      {isRange && (
        <>
          <DateField
            required
            aria-label={t`To`}
            zone={zone}
            min={first}
            value={last}
            onChange={setLast}
          />
          <input type="hidden" name="value" value={last} />
        </>
      )}
    </>
  );
};
