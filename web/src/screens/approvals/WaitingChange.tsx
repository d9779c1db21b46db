import { plural, t } from "@lingui/core/macro";
import { currentTime } from "#lib/time/currentTime.ts";
import { formatShortWeekday, formatWeekday } from "#lib/time/days.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { Icon } from "#ui/Icon.tsx";
import { Actions } from "./Actions.tsx";
import { FactsOf } from "./FactsOf.tsx";
import { OpenRequest } from "./OpenRequest.tsx";
import type { Approval } from "./queries.ts";

const hourMs = 3_600_000;

const Progress = ({ from, until }: { from: Date; until: Date }) => {
  const zone = useTimeZone();
  const whole = until.getTime() - from.getTime();
  const waited = Math.min(whole, Math.max(0, +currentTime() - from.getTime()));
  const hours = Math.floor(waited / hourMs);
  const all = plural(Math.round(whole / hourMs), { one: "# hour", other: "# hours" });
  return (
    <div className="waiting-progress">
      <p>{t`Waited ${hours} of ${all}`}</p>
      <progress max={1} value={waited / whole} aria-label={t`Waiting period`} />
      <p className="softer">
        <span>{formatShortWeekday(zone, from)}</span>
        <span>{formatShortWeekday(zone, until)}</span>
      </p>
    </div>
  );
};

/** When a change takes effect, and who requested it. */
export const TakesEffect = ({ approval }: { approval: Approval }) => {
  const zone = useTimeZone();
  const { createdAt, takesEffectAt, requestedBy } = approval;
  if (!takesEffectAt) return null;
  const when = formatWeekday(zone, new Date(takesEffectAt));
  const since = formatWeekday(zone, new Date(createdAt));
  const { name } = requestedBy;
  return (
    <div className="waiting-head">
      <Icon name="clock-exclamation" size={18} />
      <div>
        <p className="waiting-when">{t`Takes effect ${when}`}</p>
        <p>{t`Requested by ${name} on ${since}. All owners were emailed.`}</p>
      </div>
    </div>
  );
};

export const WaitingPeriod = ({ approval }: { approval: Approval }) =>
  approval.takesEffectAt && (
    <Progress from={new Date(approval.createdAt)} until={new Date(approval.takesEffectAt)} />
  );

const isForOwners = ({ rule }: Approval) => rule === "safeguard" || rule === "owner";

/** A change that takes effect by itself, unless it is stopped. */
export const WaitingChange = ({ approval }: { approval: Approval }) => (
  <li className="waiting-change" data-row={approval.id} tabIndex={-1}>
    <TakesEffect approval={approval} />
    <div className="waiting-body">
      <div>
        <h3>
          <OpenRequest approval={approval} />
        </h3>
        <FactsOf approval={approval} />
      </div>
      <WaitingPeriod approval={approval} />
    </div>
    <footer>
      <span className="soft">
        {isForOwners(approval) && t`Any owner can stop it. Another owner can approve it now.`}
      </span>
      <Actions approval={approval} />
    </footer>
  </li>
);
