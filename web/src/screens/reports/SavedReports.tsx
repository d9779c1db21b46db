import { plural, t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import {
  deleteSavedReport,
  restoreSavedReport,
  scheduleReport,
} from "@purser/contract/reports/saved";
import type { ReportName } from "@purser/contract/reports/search";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { useMe } from "#lib/session/session.ts";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { Day } from "#ui/Moment.tsx";
import { Empty, Failed } from "#ui/page/Empty.tsx";
import { RecordSkeleton } from "#ui/page/Page.tsx";
import { attempt, toast, undoAction } from "#ui/popups/toast.ts";
import { rangeLabels } from "#ui/reports/period.ts";
import { TableScroll } from "#ui/reports/TableScroll.tsx";
import { type Saved, savedQuery } from "./queries.ts";
import { groupLabels } from "./Revenue.tsx";
import { type ChosenSchedule, ScheduleChoice } from "./SaveReport.tsx";

const reportLabels: Record<ReportName, string> = {
  revenue: t`Revenue`,
  mrr: t`MRR`,
  retention: t`Retention`,
  "app-share": t`App share`,
  tax: t`Tax`,
  promotions: t`Promotions`,
};

const reload = () => queryClient.invalidateQueries(savedQuery);

const describe = ({ tab = "revenue", group, range, currency }: Saved["search"]) =>
  [
    reportLabels[tab],
    tab === "revenue" && groupLabels[group ?? "package"],
    range && rangeLabels[range],
    currency,
  ]
    .filter(Boolean)
    .join(", ");

const SavedRow = ({ report }: { report: Saved }) => {
  const { id, name, search, createdBy, createdAt, schedule, otherReaders } = report;
  const me = useMe();
  const [isAsking, setAsking] = useState(false);
  const change = (next: ChosenSchedule) =>
    attempt(async () => {
      const chosen = next === "never" ? null : next;
      await call(scheduleReport, { params: { id }, body: { schedule: chosen } });
      await reload();
    });
  const restore = async () => {
    await call(restoreSavedReport, { params: { id } });
    await reload();
  };
  const remove = async () => {
    await call(deleteSavedReport, { params: { id } });
    await reload();
    toast(t`Report deleted`, undoAction(restore));
  };
  const mayDelete = createdBy.id === me.id || me.role === "owner";
  return (
    <tr>
      <th scope="row">
        <Link to="/reports" search={search as never}>
          {name}
        </Link>
      </th>
      <td>{describe(search)}</td>
      <td className="soft">
        {createdBy.name}, <Day at={createdAt} />
      </td>
      <td>
        <ScheduleChoice
          label={t`Email to me: ${name}`}
          value={schedule ?? "never"}
          onChange={change}
        />
      </td>
      <td data-align="end">
        {mayDelete && (
          <Button
            size="xs"
            variant="default"
            aria-label={t`Delete ${name}`}
            onClick={() => (otherReaders > 0 ? setAsking(true) : attempt(remove))}
          >
            {t`Delete`}
          </Button>
        )}
        {isAsking && (
          <Confirm
            title={t`Delete ${name}?`}
            fact={plural(otherReaders, {
              one: "# colleague gets it by email.",
              other: "# colleagues get it by email.",
            })}
            sign={{ icon: "trash", tone: "warn" }}
            button={t`Delete report`}
            action={remove}
            onClose={() => setAsking(false)}
          />
        )}
      </td>
    </tr>
  );
};

/** Reports that the team saved, with the choice to get them by email. */
export const SavedReports = () => {
  const { data, error, refetch } = useQuery(savedQuery);
  if (error && !data)
    return (
      <Failed title={t`Couldn't load saved reports`} error={error} onRetry={() => refetch()} />
    );
  if (!data) return <RecordSkeleton />;
  if (data.items.length === 0)
    return (
      <Empty icon="gauge" title={t`No saved reports yet`}>
        {t`Open a report, choose its period and select "Save report".`}
      </Empty>
    );
  return (
    <div className="report-body">
      <TableScroll label={t`Saved reports`}>
        <table className="plain-table report-table">
          <thead>
            <tr>
              <th>{t`Name`}</th>
              <th>{t`Report`}</th>
              <th>{t`Saved by`}</th>
              <th>{t`Email to me`}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {data.items.map((report) => (
              <SavedRow key={report.id} report={report} />
            ))}
          </tbody>
        </table>
      </TableScroll>
      <p className="chart-note">
        {t`Emails are sent at 8:00 with the table as a CSV file. Only you get those that you choose here.`}
      </p>
    </div>
  );
};
