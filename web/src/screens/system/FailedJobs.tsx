import { plural, t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { retryJob, retryJobs } from "@purser/contract/workspace/jobs";
import { call } from "#lib/api/call.ts";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { Moment } from "#ui/Moment.tsx";
import { attempt, toast } from "#ui/popups/toast.ts";
import { Status } from "#ui/Status.tsx";
import { jobLabel } from "./labels.ts";
import { type FailedJob, systemChanged } from "./queries.ts";

const retryOne = ({ name, id }: FailedJob) =>
  attempt(async () => {
    await call(retryJob, { params: { name, id }, body: {} });
    await systemChanged();
    const label = jobLabel(name);
    toast(t`Running again: ${label}`);
  });

const retryAll = (only: "emails" | "others") =>
  attempt(async () => {
    const { jobs } = await call(retryJobs, { body: { only } });
    await systemChanged();
    toast(plural(jobs, { one: "# job runs again", other: "# jobs run again" }));
  });

export const RetryAll = ({ only, jobs }: { only: "emails" | "others"; jobs: number }) =>
  useMay("jobs:write") &&
  jobs > 1 && (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<Icon name="refresh" size={14} />}
      onClick={() => retryAll(only)}
    >
      {only === "emails" ? t`Retry all emails` : t`Retry all failed jobs`}
    </Button>
  );

const stopped = { word: t`Stopped`, icon: "circle-x", tone: "bad" } as const;

const Row = ({ job }: { job: FailedJob }) => {
  const mayWrite = useMay("jobs:write");
  const label = jobLabel(job.name);
  return (
    <tr>
      <th scope="row" className="system-name">
        <span>{label}</span>
        {job.recipient && <small>{job.recipient}</small>}
      </th>
      <td className="system-error">
        {job.error}
        <small>{plural(job.attempts, { one: "# attempt", other: "# attempts" })}</small>
      </td>
      <td className="soft">
        {job.nextTryAt ? <Moment at={job.nextTryAt} /> : <Status status={stopped} />}
      </td>
      <td className="actions">
        {mayWrite && (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={t`Retry: ${label}`}
            onClick={() => retryOne(job)}
          >
            {t`Retry`}
          </Button>
        )}
      </td>
    </tr>
  );
};

/** Jobs whose last attempt failed. */
export const FailedJobs = ({ jobs, label }: { jobs: FailedJob[]; label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard.
  <section className="scroll-x" aria-label={label} tabIndex={0}>
    <table className="plain-table">
      <thead>
        <tr>
          <th scope="col">{t`Job`}</th>
          <th scope="col">{t`Last error`}</th>
          <th scope="col">{t`Next attempt`}</th>
          <th scope="col">
            <span className="unseen">{t`Actions`}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {jobs.map((job) => (
          <Row key={job.id} job={job} />
        ))}
      </tbody>
    </table>
  </section>
);
