import { Button } from "@mantine/core";
import { useMay } from "#lib/session/session.ts";
import { formatDate, formatTime } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { Callout } from "#ui/page/Callout.tsx";
import { attempt } from "#ui/popups/toast.ts";
import { unschedule } from "../actions.ts";
import type { Package } from "../queries.ts";

/** When a scheduled version goes on sale, with a button to unschedule it. */
export const Scheduled = ({ stored }: { stored: Package }) => {
  const zone = useTimeZone();
  const mayWrite = useMay("packages:write");
  const { scheduled, draft } = stored;
  if (!scheduled?.publishAt) return null;
  const at = new Date(scheduled.publishAt);
  return (
    <div className="scheduled">
      <Callout tone="info" icon="calendar-clock">
        <p>
          Version {scheduled.number} goes on sale on{" "}
          <time dateTime={scheduled.publishAt}>
            {formatDate(zone, at)}, {formatTime(zone, at)}
          </time>{" "}
          ({zone}).
          {draft && ` It cannot come back while version ${draft.number} is a draft.`}
        </p>
        {mayWrite && (
          <Button size="xs" variant="default" onClick={() => attempt(() => unschedule(stored))}>
            Take off the schedule
          </Button>
        )}
      </Callout>
    </div>
  );
};
