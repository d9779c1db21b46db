import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { useState } from "react";
import { number } from "#lib/intl.ts";
import { Moment } from "#ui/Moment.tsx";
import { jobLabel } from "./labels.ts";
import type { Queue } from "./queries.ts";

const isBusy = ({ waiting, later, running, failed }: Queue) =>
  waiting + later + running + failed > 0;

const sumOf = (queues: Queue[], part: "waiting" | "later" | "running" | "failed") =>
  number(queues.reduce((sum, queue) => sum + queue[part], 0));

const Rows = ({ queues }: { queues: Queue[] }) =>
  queues.map((queue) => (
    <tr key={queue.name}>
      <th scope="row">{jobLabel(queue.name)}</th>
      <td data-align="end">{number(queue.waiting)}</td>
      <td data-align="end" className="soft">
        {queue.oldestWaitingAt ? <Moment at={queue.oldestWaitingAt} /> : ""}
      </td>
      <td data-align="end">{number(queue.later)}</td>
      <td data-align="end">{number(queue.running)}</td>
      <td data-align="end">{number(queue.failed)}</td>
    </tr>
  ));

/** Queues with jobs, or all of them. The last row adds up all queues, also those that aren't shown. */
export const Queues = ({ queues }: { queues: Queue[] }) => {
  const [showsAll, setShowsAll] = useState(false);
  const busy = queues.filter(isBusy);
  const count = queues.length;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard. */}
      <section className="scroll-x" aria-label={t`Queues`} tabIndex={0}>
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{t`Queue`}</th>
              <th scope="col" data-align="end">{t`Waiting`}</th>
              <th scope="col" data-align="end">{t`Oldest`}</th>
              <th scope="col" data-align="end">{t`Later`}</th>
              <th scope="col" data-align="end">{t`Running`}</th>
              <th scope="col" data-align="end">{t`Failed`}</th>
            </tr>
          </thead>
          <tbody>
            <Rows queues={showsAll ? queues : busy} />
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t`Total`}</th>
              <td data-align="end">{sumOf(queues, "waiting")}</td>
              <td />
              <td data-align="end">{sumOf(queues, "later")}</td>
              <td data-align="end">{sumOf(queues, "running")}</td>
              <td data-align="end">{sumOf(queues, "failed")}</td>
            </tr>
          </tfoot>
        </table>
      </section>
      {busy.length < count && (
        <Button variant="subtle" size="compact-sm" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? t`Show queues with jobs` : t`Show all ${count} queues`}
        </Button>
      )}
    </>
  );
};
