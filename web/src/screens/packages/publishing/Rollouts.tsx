import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { pauseRollout, resumeRollout } from "@purser/contract/packages/publishing";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { call } from "#lib/api/call.ts";
import { number as grouped, series } from "#lib/intl.ts";
import { rolloutModeNames } from "#lib/labels/packages.ts";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { Moment } from "#ui/Moment.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Section } from "#ui/page/Page.tsx";
import { attempt, toast } from "#ui/popups/toast.ts";
import { Status } from "#ui/Status.tsx";
import { rolloutLabels } from "../labels.ts";
import { type Package, packagesChanged, type Rollout, rolloutsQuery } from "../queries.ts";

const RolloutReport = part(async () => (await import("./RolloutReport.tsx")).RolloutReport);

const pause = async ({ id, number }: Rollout) => {
  await call(pauseRollout, { params: { id }, body: {} });
  await packagesChanged();
  toast(t`Rollout of version ${number} paused`);
};

const resume = async ({ id, number }: Rollout) => {
  await call(resumeRollout, { params: { id }, body: {} });
  await packagesChanged();
  toast(t`Rollout of version ${number} resumed`);
};

const doneText = (done: string, subscribers: number) =>
  plural(subscribers, { one: `${done} of # subscriber`, other: `${done} of # subscribers` });

const progressOf = ({ migrated, planned, kept, subscribers }: Rollout) =>
  series([
    doneText(grouped(migrated + planned + kept), subscribers),
    plural(migrated, { one: "# migrated", other: "# migrated" }),
    ...(planned > 0 ? [plural(planned, { one: "# at renewal", other: "# at renewal" })] : []),
    ...(kept > 0
      ? [plural(kept, { one: "# not migrated (no renewal)", other: "# not migrated (no renewal)" })]
      : []),
  ]);

const Progress = ({ rollout }: { rollout: Rollout }) => {
  const { number, migrated, planned, kept, subscribers } = rollout;
  const parts = [migrated, planned, kept];
  const done = migrated + planned + kept;
  return (
    <>
      <div
        className="mix rollout-bar"
        role="progressbar"
        aria-label={t`Rollout of version ${number}`}
        aria-valuemin={0}
        aria-valuemax={subscribers}
        aria-valuenow={done}
        aria-valuetext={progressOf(rollout)}
      >
        {parts.map((amount, place) => (
          <i
            // biome-ignore lint/suspicious/noArrayIndexKey: parts are identified only by their position.
            key={place}
            style={{ flexGrow: amount, background: `var(--p-series-${place + 1})` }}
            hidden={amount === 0}
          />
        ))}
        <i style={{ flexGrow: Math.max(0, subscribers - done) }} hidden={done >= subscribers} />
      </div>
      <p className="soft">{progressOf(rollout)}</p>
    </>
  );
};

const RolloutTime = ({ rollout: { status, startsAt, finishedAt } }: { rollout: Rollout }) => {
  const at = <Moment at={finishedAt ?? startsAt} />;
  if (finishedAt) return <Trans>Finished {at}</Trans>;
  return status === "waiting" ? <Trans>Starts {at}</Trans> : <Trans>Started {at}</Trans>;
};

const OneRollout = ({ rollout, onReport }: { rollout: Rollout; onReport: () => void }) => {
  const mayWrite = useMay("packages:write");
  const { number, mode, status } = rollout;
  const isWaiting = status === "waiting";
  return (
    <li className="rollout">
      <div className="rollout-head">
        <b>{t`Version ${number}`}</b>
        <span className="soft">{rolloutModeNames[mode]}</span>
        <Status status={rolloutLabels[status]} />
        <span className="softer">
          <RolloutTime rollout={rollout} />
        </span>
        <span className="spacer" />
        {mayWrite && (status === "running" || isWaiting) && (
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="player-pause" size={14} />}
            onClick={() => attempt(() => pause(rollout))}
          >
            {t`Pause`}
          </Button>
        )}
        {mayWrite && status === "paused" && (
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="player-play" size={14} />}
            onClick={() => attempt(() => resume(rollout))}
          >
            {t`Resume`}
          </Button>
        )}
        <Button variant="default" size="xs" onClick={onReport}>
          {t`Show report`}
        </Button>
      </div>
      <Progress rollout={rollout} />
    </li>
  );
};

/** Rollouts to newer versions, refreshed while they are in progress. */
export const Rollouts = ({ stored }: { stored: Package }) => {
  const { data: rollouts, error, refetch } = useQuery(rolloutsQuery(stored.id));
  const [reported, setReported] = useState<string | null>(null);
  if (error && !rollouts)
    return <Failed title={t`Couldn't load rollouts`} error={error} onRetry={() => refetch()} />;
  if (!rollouts || rollouts.length === 0) return null;
  const shown = rollouts.find(({ id }) => id === reported);
  return (
    <Section
      id="rollouts"
      title={t`Rollouts`}
      note={t`Migrations of subscribers to newer versions`}
    >
      <ul>
        {rollouts.map((rollout) => (
          <OneRollout key={rollout.id} rollout={rollout} onReport={() => setReported(rollout.id)} />
        ))}
      </ul>
      <Suspense>
        {shown && <RolloutReport rollout={shown} onClose={() => setReported(null)} />}
      </Suspense>
    </Section>
  );
};
