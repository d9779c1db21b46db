import { Button } from "@mantine/core";
import { pauseRollout, resumeRollout } from "@purser/contract/packages/publishing";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { call } from "#lib/api/call.ts";
import { count, number as grouped } from "#lib/labels.ts";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { Moment } from "#ui/Moment.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Section } from "#ui/page/Page.tsx";
import { attempt, toast } from "#ui/popups/toast.ts";
import { Status } from "#ui/Status.tsx";
import { modeLabels, rolloutLabels } from "../labels.ts";
import { type Package, packagesChanged, type Rollout, rolloutsQuery } from "../queries.ts";

const RolloutReport = part(async () => (await import("./RolloutReport.tsx")).RolloutReport);

const pause = async ({ id, number }: Rollout) => {
  await call(pauseRollout, { params: { id }, body: {} });
  await packagesChanged();
  toast(`The rollout of version ${number} is paused.`);
};

const resume = async ({ id, number }: Rollout) => {
  await call(resumeRollout, { params: { id }, body: {} });
  await packagesChanged();
  toast(`The rollout of version ${number} goes on.`);
};

const progressOf = ({ moved, planned, kept, holders }: Rollout) =>
  [
    `${grouped(moved + planned + kept)} of ${count(holders, "holder")}`,
    `${grouped(moved)} moved`,
    planned > 0 && `${grouped(planned)} at their renewal`,
    kept > 0 && `${grouped(kept)} stay, because nothing renews`,
  ]
    .filter(Boolean)
    .join(", ");

const Progress = ({ rollout }: { rollout: Rollout }) => {
  const { number, moved, planned, kept, holders } = rollout;
  const parts = [moved, planned, kept];
  const done = moved + planned + kept;
  return (
    <>
      <div
        className="mix rollout-bar"
        role="progressbar"
        aria-label={`Rollout of version ${number}`}
        aria-valuemin={0}
        aria-valuemax={holders}
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
        <i style={{ flexGrow: Math.max(0, holders - done) }} hidden={done >= holders} />
      </div>
      <p className="soft">{progressOf(rollout)}</p>
    </>
  );
};

const OneRollout = ({ rollout, onReport }: { rollout: Rollout; onReport: () => void }) => {
  const mayWrite = useMay("packages:write");
  const { number, mode, status, startsAt, finishedAt } = rollout;
  const isWaiting = status === "waiting";
  return (
    <li className="rollout">
      <div className="rollout-head">
        <b>Version {number}</b>
        <span className="soft">{modeLabels[mode]}</span>
        <Status status={rolloutLabels[status]} />
        <span className="softer">
          {finishedAt ? "done " : isWaiting ? "starts " : "since "}
          <Moment at={finishedAt ?? startsAt} />
        </span>
        <span className="spacer" />
        {mayWrite && (status === "running" || isWaiting) && (
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="player-pause" size={14} />}
            onClick={() => attempt(() => pause(rollout))}
          >
            Pause
          </Button>
        )}
        {mayWrite && status === "paused" && (
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="player-play" size={14} />}
            onClick={() => attempt(() => resume(rollout))}
          >
            Resume
          </Button>
        )}
        <Button variant="default" size="xs" onClick={onReport}>
          Show report
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
    return <Failed what="The rollouts" error={error} onRetry={() => refetch()} />;
  if (!rollouts || rollouts.length === 0) return null;
  const shown = rollouts.find(({ id }) => id === reported);
  return (
    <Section title="Rollouts" note="how holders come to a newer version">
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
