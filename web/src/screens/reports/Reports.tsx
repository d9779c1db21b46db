import { t } from "@lingui/core/macro";
import "./reports.css";
import "#ui/styles/plainTable.css";
import { Button } from "@mantine/core";
import {
  type ReportUnit,
  type RevenueGroup,
  reportUnits,
  type ShareRule,
  shareRules,
} from "@purser/contract/reports/endpoints";
import { type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { Moment } from "#ui/Moment.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { PageHead, RecordSkeleton } from "#ui/page/Page.tsx";
import { Tab } from "#ui/page/Tab.tsx";
import { Choice, PeriodControls } from "#ui/reports/PeriodControls.tsx";
import { daysOf, type PeriodSearch, type Range, readPeriod } from "#ui/reports/period.ts";
import { AppShareReport, ruleLabels, shareTable } from "./AppShares.tsx";
import { Customers, listIn } from "./Customers.tsx";
import { download, type Table } from "./csv.ts";
import { definitions } from "./definitions.ts";
import { MrrReport, mrrTable } from "./Mrr.tsx";
import { appShareQuery, mrrQuery, retentionQuery, revenueQuery } from "./queries.ts";
import { RetentionReport, retentionTable } from "./Retention.tsx";
import { groupLabels, RevenueReport, revenueTable } from "./Revenue.tsx";

const tabs = {
  revenue: { label: t`Revenue`, usual: "30d", definitions: "revenue" },
  mrr: { label: t`MRR`, usual: "12m", definitions: "mrr" },
  customers: { label: t`Customers`, usual: "30d", definitions: "mrr" },
  retention: { label: t`Retention`, usual: "12m", definitions: "retention" },
  "app-share": { label: t`App share`, usual: "30d", definitions: "share" },
  tax: { label: t`Tax`, usual: "30d", definitions: "revenue" },
  promotions: { label: t`Promotions`, usual: "30d", definitions: "revenue" },
} as const satisfies Record<string, { label: string; usual: Range; definitions: string }>;
type TabName = keyof typeof tabs;
const tabNames = Object.keys(tabs) as TabName[];

const groups = ["package", "app", "country", "promotion"] as const;

const unitLabels: Record<ReportUnit, string> = { day: t`Day`, week: t`Week`, month: t`Month` };

type Search = Record<string, string | undefined>;

const useReportSearch = () => {
  const given: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const period = readPeriod(given);
  const tab = tabNames.find((one) => one === given["tab"]) ?? "revenue";
  const go = (next: Search) =>
    void navigate({ to: "/reports", search: next as never, resetScroll: false });
  const own = { group: given["group"], unit: given["unit"], rule: given["rule"] };
  const kept = Object.fromEntries(
    Object.entries({ ...own, list: given["list"] }).filter(([, value]) => value !== undefined),
  );
  const base: Search = { ...(tab !== "revenue" && { tab }), ...kept };
  return {
    tab,
    period,
    group: groups.find((one) => one === given["group"]) ?? ("package" as const),
    unit: reportUnits.find((one) => one === given["unit"]) ?? ("day" as const),
    rule: shareRules.find((one) => one === given["rule"]) ?? ("list price" as const),
    list: listIn(given["list"]),
    changePeriod: (next: PeriodSearch) => go({ ...base, ...readPeriod(next) }),
    change: (next: Search) => go({ ...base, ...period, ...next }),
  };
};
type ReportSearch = ReturnType<typeof useReportSearch>;

type About = {
  currency: string;
  currencies: string[];
  asOf: string;
  isRebuilding: boolean;
};

type LoadedProps<Reply extends About> = {
  search: ReportSearch;
  // biome-ignore lint/suspicious/noExplicitAny: the key has another type for each report.
  query: UseQueryOptions<Reply, Error, Reply, any>;
  compares?: boolean;
  more?: ReactNode;
  tableOf?: (reply: Reply) => Table;
  children: (reply: Reply) => ReactNode;
};

/** The controls of a report, and the report once it is loaded. */
const Loaded = <Reply extends About>(props: LoadedProps<Reply>) => {
  const { search, query, compares = false, more, tableOf, children } = props;
  const { data, error, refetch } = useQuery(query);
  const currency = data?.currency ?? search.period.currency ?? "";
  return (
    <>
      <div className="report-bar">
        <PeriodControls
          search={search.period}
          usual={tabs[search.tab].usual}
          currency={currency}
          currencies={data?.currencies ?? (currency ? [currency] : [])}
          compares={compares}
          onChange={search.changePeriod}
        />
        {more}
        <span className="spacer" />
        {data && (
          <span className="report-age">
            {data.isRebuilding ? (
              t`Figures are being counted again. Some are missing.`
            ) : (
              <>
                {t`Figures updated`} <Moment at={data.asOf} />
              </>
            )}
          </span>
        )}
        {data && tableOf && (
          <Button
            variant="default"
            leftSection={<Icon name="download" size={15} />}
            onClick={() => download(tableOf(data))}
          >
            {t`CSV`}
          </Button>
        )}
      </div>
      {error && !data ? (
        <Failed title={t`Couldn't load this report`} error={error} onRetry={() => refetch()} />
      ) : (
        <div className="report-body">{data ? children(data) : <RecordSkeleton />}</div>
      )}
    </>
  );
};

const queryIn = ({ period, tab }: ReportSearch) => ({
  ...daysOf(period, tabs[tab].usual),
  ...(period.currency && { currency: period.currency }),
});

const RevenueTab = ({ search, group }: { search: ReportSearch; group: RevenueGroup }) => {
  const { unit, change, period, tab } = search;
  return (
    <Loaded
      search={search}
      compares
      query={revenueQuery({
        ...queryIn(search),
        ...(period.compare && { compare: period.compare }),
        group,
        unit,
      })}
      tableOf={(revenue) => revenueTable(revenue, group)}
      more={
        <>
          {tab === "revenue" && (
            <Choice
              label={t`Group by`}
              value={search.group}
              options={groups.map((value) => ({ value, label: groupLabels[value] }))}
              onChange={(value) => change({ group: value })}
            />
          )}
          <Choice
            label={t`Unit`}
            value={unit}
            options={reportUnits.map((value) => ({ value, label: unitLabels[value] }))}
            onChange={(value) => change({ unit: value })}
          />
        </>
      }
    >
      {(revenue) => <RevenueReport revenue={revenue} group={group} unit={unit} />}
    </Loaded>
  );
};

const ShareTab = ({ search }: { search: ReportSearch }) => (
  <Loaded
    search={search}
    query={appShareQuery({ ...queryIn(search), rule: search.rule })}
    tableOf={shareTable}
    more={
      <Choice<ShareRule>
        label={t`Split by`}
        value={search.rule}
        options={shareRules.map((value) => ({ value, label: ruleLabels[value] }))}
        onChange={(value) => search.change({ rule: value })}
      />
    }
  >
    {(share) => <AppShareReport share={share} rule={search.rule} />}
  </Loaded>
);

const views: Record<TabName, (props: { search: ReportSearch }) => ReactNode> = {
  revenue: ({ search }) => <RevenueTab search={search} group={search.group} />,
  tax: ({ search }) => <RevenueTab search={search} group="tax" />,
  promotions: ({ search }) => <RevenueTab search={search} group="promotion" />,
  mrr: ({ search }) => (
    <Loaded search={search} query={mrrQuery(queryIn(search))} tableOf={mrrTable}>
      {(mrr) => <MrrReport mrr={mrr} />}
    </Loaded>
  ),
  customers: ({ search }) => (
    <Loaded search={search} query={mrrQuery({ ...queryIn(search), unit: "day" })}>
      {() => (
        <Customers
          query={queryIn(search)}
          list={search.list}
          onList={(list) => search.change({ list })}
        />
      )}
    </Loaded>
  ),
  retention: ({ search }) => (
    <Loaded search={search} query={retentionQuery(queryIn(search))} tableOf={retentionTable}>
      {(retention) => <RetentionReport retention={retention} />}
    </Loaded>
  ),
  "app-share": ({ search }) => <ShareTab search={search} />,
};

/** Reports of revenue, recurring revenue and customers. */
export const Reports = () => {
  const search = useReportSearch();
  if (!useMay("reports:read")) return <Forbidden permission="reports:read" />;
  const View = views[search.tab];
  const { currency } = search.period;
  return (
    <div className="reports">
      <PageHead title={t`Reports`} />
      <nav className="report-tabs" aria-label={t`Reports`}>
        {tabNames.map((name) => (
          <Tab
            key={name}
            search={{ ...(name !== "revenue" && { tab: name }), ...(currency && { currency }) }}
            isCurrent={name === search.tab}
          >
            {tabs[name].label}
          </Tab>
        ))}
      </nav>
      <View search={search} />
      <section className="report-definitions">
        <h2>{t`Definitions`}</h2>
        <dl>
          {(definitions[tabs[search.tab].definitions] ?? []).map(([word, meaning]) => (
            <div key={word}>
              <dt>{word}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  );
};
