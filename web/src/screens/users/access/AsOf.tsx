import { TextInput } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { formatExact, localDateTime, parseLocalDateTime, utcOffset } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
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
  const now = new Date();
  return (
    <div className="as-of">
      <span className="softer" aria-hidden>
        As of
      </span>
      <TextInput
        type="datetime-local"
        aria-label={`As of, in ${zone} (${utcOffset(zone, now)})`}
        max={localDateTime(zone, now).slice(0, 16)}
        value={at === undefined ? "" : localDateTime(zone, new Date(at)).slice(0, 16)}
        onChange={({ currentTarget: { value } }) =>
          look(
            value === ""
              ? undefined
              : (parseLocalDateTime(zone, value)?.toISOString() ?? undefined),
          )
        }
      />
    </div>
  );
};

/** Says that a past or future moment is shown. */
export const Past = ({ at, look }: { at: string; look: Props["look"] }) => {
  const zone = useTimeZone();
  return (
    <Callout tone="warn" icon="history" role="status">
      This is what was answered at {formatExact(zone, new Date(at))}, from what was known then.
      Counts of use are not kept.{" "}
      <button type="button" className="sentence-link" onClick={() => look(undefined)}>
        Back to now
      </button>
    </Callout>
  );
};
