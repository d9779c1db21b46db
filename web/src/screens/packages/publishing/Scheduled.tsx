import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useMay } from "#lib/session/session.ts";
import { formatDateTime } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { Callout } from "#ui/page/Callout.tsx";
import { attempt } from "#ui/popups/toast.ts";
import { unschedule } from "../actions.ts";
import { archivedReason } from "../labels.ts";
import type { Package } from "../queries.ts";

const unschedulableText = (draft: number) =>
  t`To unschedule it, discard the draft of version ${draft} first.`;

/** When a scheduled version goes on sale, with a button to unschedule it. */
export const Scheduled = ({ stored }: { stored: Package }) => {
  const zone = useTimeZone();
  const mayWrite = useMay("packages:write");
  const { scheduled, draft } = stored;
  if (!scheduled?.publishAt) return null;
  const { number, archived } = scheduled;
  const isBlocked = archived.length > 0;
  const moment = formatDateTime(zone, new Date(scheduled.publishAt));
  return (
    <div className="scheduled">
      <Callout tone={isBlocked ? "warn" : "info"} icon="calendar-clock">
        <p>
          <Trans>
            Version {number} goes on sale on <time dateTime={scheduled.publishAt}>{moment}</time> (
            {zone}).
          </Trans>
          {isBlocked &&
            ` ${archivedReason(archived)} ${t`Restore what is archived to publish it.`}`}
          {draft && ` ${unschedulableText(draft.number)}`}
        </p>
        {mayWrite && (
          <Button size="xs" variant="default" onClick={() => attempt(() => unschedule(stored))}>
            {t`Unschedule`}
          </Button>
        )}
      </Callout>
    </div>
  );
};
