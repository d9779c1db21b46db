import { t } from "@lingui/core/macro";
import { Button, NativeSelect } from "@mantine/core";
import {
  exportListJobRows,
  listJobRows,
  type rowOutcomes,
} from "@purser/contract/workspace/listJobs";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { addressOf, call } from "#lib/api/call.ts";
import { messageText } from "#lib/serverMessages.ts";
import { Dialog } from "#ui/dialogs/Dialog.tsx";
import { downloadLink } from "#ui/page/downloads.ts";
import { Failed } from "#ui/page/Empty.tsx";
import { actionLabel } from "./bulkActions.ts";
import type { ListJob } from "./queries.ts";

type Outcome = (typeof rowOutcomes)[number];

const outcomeLabels: Record<Outcome, string> = {
  done: t`Changed`,
  unchanged: t`Unchanged`,
  failed: t`Failed`,
};

const useResults = (id: string, outcome: Outcome | "") =>
  useInfiniteQuery({
    queryKey: ["listJobRows", id, outcome],
    queryFn: ({ pageParam, signal }) =>
      call(listJobRows, {
        params: { id },
        query: { ...(outcome && { outcome }), ...(pageParam && { after: String(pageParam) }) },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
  });

/** What a job did to each row. */
export const Results = ({ job, onClose }: { job: ListJob; onClose: () => void }) => {
  const [outcome, setOutcome] = useState<Outcome | "">(job.failed > 0 ? "failed" : "");
  const { data, error, refetch, hasNextPage, fetchNextPage } = useResults(job.id, outcome);
  const rows = data?.pages.flatMap(({ items }) => items) ?? [];
  const { label, icon } = actionLabel(job.list, job.action);
  const file = { params: { id: job.id }, query: { format: "csv" } };
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t`Results: ${label}`}
      sign={{ icon, tone: "info" }}
      size={760}
      foot={
        <>
          <Button
            component="a"
            variant="default"
            {...downloadLink(addressOf(exportListJobRows.path, file))}
          >
            {t`Download CSV`}
          </Button>
          <span className="spacer" />
          <Button onClick={onClose}>{t`Close`}</Button>
        </>
      }
    >
      <NativeSelect
        label={t`Result`}
        value={outcome}
        onChange={({ currentTarget }) => setOutcome(currentTarget.value as Outcome | "")}
        data={[
          { value: "", label: t`All` },
          ...Object.entries(outcomeLabels).map(([value, name]) => ({ value, label: name })),
        ]}
      />
      {error && (
        <Failed title={t`Couldn't load the results`} error={error} onRetry={() => void refetch()} />
      )}
      {data && rows.length === 0 && <p className="soft">{t`No rows with this result.`}</p>}
      {rows.length > 0 && (
        <table className="job-results">
          <thead>
            <tr>
              <th scope="col">{t`Name`}</th>
              <th scope="col">{t`Result`}</th>
              <th scope="col">{t`Reason`}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.position}>
                <td>{row.name || <span className="mono soft">{row.recordId}</span>}</td>
                <td>{outcomeLabels[row.outcome]}</td>
                <td>{row.detail && messageText(row.detail)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {hasNextPage && (
        <Button variant="default" onClick={() => void fetchNextPage()}>
          {t`Load more`}
        </Button>
      )}
    </Dialog>
  );
};
