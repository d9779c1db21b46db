import "./jobs.css";
import { plural, t } from "@lingui/core/macro";
import {
  dismissListJob,
  downloadListJob,
  stopListJob,
  undoListJob,
} from "@purser/contract/workspace/listJobs";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useRef, useState } from "react";
import { addressOf, call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { list as listText, number } from "#lib/intl.ts";
import { messageText } from "#lib/serverMessages.ts";
import { Moment } from "#ui/Moment.tsx";
import { downloadLink, sizeText } from "#ui/page/downloads.ts";
import { part } from "#ui/page/lazyPart.tsx";
import { attempt } from "#ui/popups/toast.ts";
import { actionLabel } from "./bulkActions.ts";
import { jobsChanged, jobsQuery, type ListJob } from "./queries.ts";

const Results = part(async () => (await import("./Results.tsx")).Results);

const endedLabels: Record<Exclude<ListJob["status"], "running">, string> = {
  finished: t`Finished`,
  stopped: t`Stopped`,
  failed: t`Failed`,
};

/** "8,214 of 21,408, 12 failed". */
const progressText = ({ action, status, total, done, unchanged, failed, bytes }: ListJob) => {
  if (action === "export") {
    const rows = plural(done, { one: "# row", other: "# rows" });
    return status === "finished" ? listText([rows, sizeText(bytes)]) : rows;
  }
  const handled = number(done + unchanged + failed);
  const all = number(total ?? 0);
  return listText([
    status === "running" ? t`${handled} of ${all}` : t`${{ rows: number(done) }} changed`,
    ...(unchanged > 0 ? [t`${{ rows: number(unchanged) }} unchanged`] : []),
    ...(failed > 0 ? [t`${{ rows: number(failed) }} failed`] : []),
  ]);
};

type JobProps = { job: ListJob; onResults: () => void };

const JobStrip = ({ job, onResults }: JobProps) => {
  const { id, list, action, status, total, startedAt, finishedAt, error } = job;
  const isRunning = status === "running";
  const isExport = action === "export";
  const { label } = actionLabel(list, action);
  const send = (endpoint: typeof stopListJob | typeof undoListJob | typeof dismissListJob) => () =>
    void attempt(async () => {
      await call(endpoint, { params: { id }, body: {} });
      await jobsChanged(list);
    });
  const handled = job.done + job.unchanged + job.failed;
  return (
    <div className="list-strip">
      <span>
        <b>{job.undoes ? t`Undo: ${label}` : label}</b>{" "}
        <span className="soft">
          {isRunning ? t`Started` : endedLabels[status]} <Moment at={finishedAt ?? startedAt} />
        </span>
      </span>
      {isRunning ? (
        <progress
          aria-label={label}
          {...(total !== null && { max: total, value: Math.min(handled, total) })}
        />
      ) : (
        <span className="spacer" />
      )}
      <span>{error ? messageText(error) : progressText(job)}</span>
      {!isExport && handled > 0 && (
        <button type="button" className="quiet-link" onClick={onResults}>
          {t`View results`}
        </button>
      )}
      {isExport && status === "finished" && (
        <a
          className="quiet-link"
          {...downloadLink(addressOf(downloadListJob.path, { params: { id } }))}
        >
          {t`Download`}
        </a>
      )}
      {job.canUndo && (
        <button type="button" className="quiet-link" onClick={send(undoListJob)}>
          {t`Undo`}
        </button>
      )}
      <button
        type="button"
        className="quiet-link"
        onClick={send(isRunning ? stopListJob : dismissListJob)}
      >
        {isRunning ? t`Stop` : t`Dismiss`}
      </button>
    </div>
  );
};

/** Reads the list again when one of the jobs has ended. */
const useRefreshAtEnd = (list: string, jobs: ListJob[]) => {
  const running = jobs.filter(({ status }) => status === "running").map(({ id }) => id);
  const before = useRef(running);
  useEffect(() => {
    const hasEnded = before.current.some((id) => !running.includes(id));
    before.current = running;
    if (hasEnded) void queryClient.invalidateQueries({ queryKey: [list] });
  });
};

/** The user's running and finished jobs of this list, above the table. */
export const Jobs = ({ list }: { list: string }) => {
  const { data = [] } = useQuery(jobsQuery(list));
  const [opened, setOpened] = useState<ListJob | null>(null);
  useRefreshAtEnd(list, data);
  return (
    <>
      {data.map((job) => (
        <JobStrip key={job.id} job={job} onResults={() => setOpened(job)} />
      ))}
      <Suspense>{opened && <Results job={opened} onClose={() => setOpened(null)} />}</Suspense>
    </>
  );
};
