import "./dates.css";
import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { useState } from "react";
import { runtime } from "#lib/page/runtime.ts";
import { DateField } from "#ui/dates/DateInput.tsx";
import { isLocalTime } from "#ui/dates/parseDate.ts";

type Props = { at: string | undefined; onGo: (day: string) => void };

/** Chooses the day whose first row the list shows on top. */
export const GoToDate = ({ at, onGo }: Props) => {
  const { companyTimeZone: timeZone } = runtime;
  const [day, setDay] = useState(at ?? "");
  return (
    <form
      className="go-to-date"
      onSubmit={(event) => {
        event.preventDefault();
        if (isLocalTime(day, false)) onGo(day);
      }}
    >
      <DateField
        label={t`Date`}
        description={t`Days are in ${timeZone}`}
        data-autofocus
        required
        zone={timeZone}
        value={day}
        onChange={setDay}
      />
      <Button type="submit" size="xs">
        {t`Go to date`}
      </Button>
    </form>
  );
};
