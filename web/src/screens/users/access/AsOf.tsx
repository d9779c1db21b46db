import { t } from "@lingui/core/macro";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { currentTime } from "#lib/time/currentTime.ts";
import { formatExact } from "#lib/time/dates.ts";
import { localDateTime, parseLocalDateTime, utcOffset } from "#lib/time/localTime.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { DateTimeField } from "#ui/dates/DateInput.tsx";
import { Callout } from "#ui/page/Callout.tsx";

const from = "/users/view/$id";

/** The "as of" moment from the URL; the current time without one. */
export const useMoment = () => {
  const { at } = useSearch({ from });
  const navigate = useNavigate({ from });
  const look = (moment: string | undefined) =>
    void navigate({
      search: ({ at: _, ...rest }) => ({ ...rest, ...(moment && { at: moment }) }),
      replace: true,
      resetScroll: false,
    });
  return { at, look };
};

type Props = ReturnType<typeof useMoment>;

export const AsOf = ({ at, look }: Props) => {
  const zone = useTimeZone();
  const now = currentTime();
  const offset = utcOffset(zone, now);
  const shown = at === undefined ? "" : localDateTime(zone, new Date(at));
  // The page changes once a moment is complete, not while it is typed.
  const [edited, setEdited] = useState<string | null>(null);
  const finish = (value: string) => {
    const moment = parseLocalDateTime(zone, value);
    if (value !== "" && moment === null) return;
    setEdited(null);
    if (value !== shown) look(moment?.toISOString());
  };
  return (
    <div className="as-of">
      <span className="softer" aria-hidden>
        {t`As of`}
      </span>
      <DateTimeField
        zone={zone}
        aria-label={t`As of, in ${zone} (${offset})`}
        placeholder={t`now`}
        max={localDateTime(zone, now)}
        value={edited ?? shown}
        onChange={setEdited}
        onDone={finish}
      />
    </div>
  );
};

/** Says that a past or future moment is shown. */
export const Past = ({ at, look }: { at: string; look: Props["look"] }) => {
  const zone = useTimeZone();
  const moment = formatExact(zone, new Date(at));
  return (
    <Callout tone="warn" icon="history" role="status">
      {t`Entitlements as of ${moment}. Past usage isn't available.`}{" "}
      <button type="button" className="sentence-link" onClick={() => look(undefined)}>
        {t`Back to now`}
      </button>
    </Callout>
  );
};
