import { t } from "@lingui/core/macro";
import "./reports.css";
import "#ui/styles/plainTable.css";
import { Button } from "@mantine/core";
import { id } from "@purser/contract/fields/primitives";
import {
  type ReportUnit,
  type RevenueGroup,
  reportUnits,
  type ShareRule,
  shareRules,
} from "@purser/contract/reports/endpoints";
import { type MrrGroup, mrrGroups } from "@purser/contract/reports/recurring";
import { rowGroups } from "@purser/contract/reports/rows";
import { getReportFile } from "@purser/contract/reports/saved";
import {
  type Range,
  reportSearch,
  searchGroups,
  usualRanges,
} from "@purser/contract/reports/search";
import { type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { addressOf } from "#lib/api/call.ts";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { PageHead, RecordSkeleton } from "#ui/page/Page.tsx";
import { Tab } from "#ui/page/Tab.tsx";
import { FiguresAge } from "#ui/reports/FiguresAge.tsx";
import { Choice, PeriodControls } from "#ui/reports/PeriodControls.tsx";
import { daysOf, type PeriodSearch, readPeriod } from "#ui/reports/period.ts";
import { AppShareReport, ruleLabels } from "./AppShares.tsx";
import { Customers, listIn } from "./Customers.tsx";
import { definitions } from "./definitions.ts";
import { MrrReport } from "./Mrr.tsx";
import {
  appShareQuery,
  mrrQuery,
  retentionQuery,
  revenueQuery,
  revenueRowsQuery,
  shareRowsQuery,
  subscribersQuery,
} from "./queries.ts";
import { RetainedCustomers, Subscribers } from "./RetainedCustomers.tsx";
import { RetentionReport } from "./Retention.tsx";
import { groupLabels, RevenueReport } from "./Revenue.tsx";
import { RevenueRowsTable } from "./RevenueRows.tsx";
import { SavedReports } from "./SavedReports.tsx";
import { SaveReport } from "./SaveReport.tsx";
import { ShareRowsTable } from "./ShareRows.tsx";

const tabs = {
  revenue: { label: t`Revenue`, definitions: "revenue" },
  mrr: { label: t`MRR`, definitions: "mrr" },
  customers: { label: t`Customers`, definitions: "mrr" },
  retention: { label: t`Retention`, definitions: "retention" },
  "app-share": { label: t`App share`, definitions: "share" },
  tax: { label: t`Tax`, definitions: "revenue" },
  promotions: { label: t`Promotions`, definitions: "promotions" },
  saved: { label: t`Saved`, definitions: null },
  rows: { label: t`Payments`, definitions: "revenue" },
  subscribers: { label: t`Active subscribers`, definitions: "mrr" },
  retained: { label: t`Customers of a cohort`, definitions: "retention" },
  "share-rows": { label: t`Days of an app`, definitions: "share" },
} as const satisfies Record<string, { label: string; definitions: string | null }>;
type TabName = keyof typeof tabs;
const tabNames = Object.keys(tabs) as TabName[];
const usualRange = (tab: TabName): Range =>
  (usualRanges as Partial<Record<TabName, Range>>)[tab] ?? "30d";

const unitLabels: Record<ReportUnit, string> = { day: t`Day`, week: t`Week`, month: t`Month` };

type Search = Record<string, string | undefined>;

/** How MRR is grouped, and the package that it and its customers are limited to. */
const mrrOf = (tab: TabName, { by, package: packageId }: Search) => {
  const chosen = id.safeParse(packageId).data;
  return {
    ...(tab === "mrr" && by === "package" && { by: "package" as const }),
    ...((tab === "mrr" || tab === "customers") && chosen && { package: chosen }),
  };
};

const useReportSearch = () => {
  const given: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const period = readPeriod(given);
  const tab = tabNames.find((one) => one === given["tab"]) ?? "revenue";
  const go = (next: Search) =>
    void navigate({ to: "/reports", search: next as never, resetScroll: false });
  const { group, unit, rule, list, sort, key, cohort, month, by, app } = given;
  const { package: packageId } = given;
  const kept = Object.fromEntries(
    Object.entries({ group, unit, rule, list, sort, key, by, app, package: packageId }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  const base: Search = { ...(tab !== "revenue" && { tab }), ...kept };
  const sorted = reportSearch.shape.sort.safeParse(sort).data;
  const change = (next: Search) => go({ ...base, ...period, ...next });
  return {
    tab,
    period,
    sorting: { sort, onSort: (next: string | undefined) => change({ sort: next }) },
    /** As it is saved and downloaded. */
    saved: reportSearch.safeParse({
      tab,
      group,
      unit,
      rule,
      sort: sorted,
      ...mrrOf(tab, given),
      ...period,
    }).data,
    mrr: mrrOf(tab, given),
    share: { app: app ?? "", ...(packageId !== undefined && { package: packageId }) },
    group: searchGroups.find((one) => one === given["group"]) ?? ("package" as const),
    unit: reportUnits.find((one) => one === given["unit"]) ?? ("day" as const),
    rule: shareRules.find((one) => one === given["rule"]) ?? ("list price" as const),
    list: listIn(given["list"]),
    rows: { group: rowGroups.find((one) => one === group) ?? ("total" as const), key: key ?? "" },
    cohort: { cohort: cohort ?? "", month: month ?? "", currency: period.currency ?? "" },
    changePeriod: (next: PeriodSearch) => go({ ...base, ...readPeriod(next) }),
    change,
  };
};
type ReportSearch = ReturnType<typeof useReportSearch>;
type MrrQuery = Parameters<typeof mrrQuery>[0];

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
  children: (reply: Reply) => ReactNode;
};

/** The controls of a report, and the report once it is loaded. */
const Loaded = <Reply extends About>(props: LoadedProps<Reply>) => {
  const { search, query, compares = false, more, children } = props;
  const { data, error, refetch } = useQuery(query);
  const currency = data?.currency ?? search.period.currency ?? "";
  return (
    <>
      <div className="report-bar">
        <PeriodControls
          search={search.period}
          usual={usualRange(search.tab)}
          currency={currency}
          currencies={data?.currencies ?? (currency ? [currency] : [])}
          compares={compares}
          onChange={search.changePeriod}
        />
        {more}
        <span className="spacer" />
        {data && (
          <span className="report-age">
            <FiguresAge of={data} />
          </span>
        )}
        {search.saved && (
          <>
            <SaveReport search={search.saved} />
            <Button
              component="a"
              variant="default"
              leftSection={<Icon name="download" size={15} />}
              href={addressOf(getReportFile.path, { query: search.saved })}
              download
            >
              {t`CSV`}
            </Button>
          </>
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
  ...daysOf(period, usualRange(tab)),
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
      more={
        <>
          {tab === "revenue" && (
            <Choice
              label={t`Group by`}
              value={search.group}
              options={searchGroups.map((value) => ({ value, label: groupLabels[value] }))}
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
      {(revenue) => (
        <RevenueReport revenue={revenue} group={group} unit={unit} sorting={search.sorting} />
      )}
    </Loaded>
  );
};

const ShareTab = ({ search }: { search: ReportSearch }) => (
  <Loaded
    search={search}
    query={appShareQuery({ ...queryIn(search), rule: search.rule })}
    more={
      <Choice<ShareRule>
        label={t`Split by`}
        value={search.rule}
        options={shareRules.map((value) => ({ value, label: ruleLabels[value] }))}
        onChange={(value) => search.change({ rule: value })}
      />
    }
  >
    {(share) => <AppShareReport share={share} rule={search.rule} sorting={search.sorting} />}
  </Loaded>
);

const mrrGroupLabels: Record<MrrGroup, string> = { month: t`Month`, package: t`Package` };

/** The package that a report is limited to, with a way back to all. */
const ChosenPackage = ({ search, query }: { search: ReportSearch; query: MrrQuery }) => {
  const { data } = useQuery(mrrQuery(query));
  if (search.mrr.package === undefined) return null;
  const name = data?.package?.name ?? "";
  return (
    <Button
      variant="default"
      rightSection={<Icon name="x" size={15} />}
      aria-label={t`Show all packages`}
      onClick={() => search.change({ package: undefined })}
    >
      {t`Package: ${name}`}
    </Button>
  );
};

const CustomersTab = ({ search }: { search: ReportSearch }) => {
  const query = { ...queryIn(search), ...search.mrr };
  const whole = { ...query, unit: "day" as const };
  return (
    <Loaded
      search={search}
      query={mrrQuery(whole)}
      more={<ChosenPackage search={search} query={whole} />}
    >
      {() => (
        <Customers query={query} list={search.list} onList={(list) => search.change({ list })} />
      )}
    </Loaded>
  );
};

const MrrTab = ({ search }: { search: ReportSearch }) => {
  const { by, package: packageId } = search.mrr;
  const group: MrrGroup = by ?? "month";
  const query = { ...queryIn(search), ...(packageId && { package: packageId }), group };
  return (
    <Loaded
      search={search}
      query={mrrQuery(query)}
      more={
        packageId ? (
          <ChosenPackage search={search} query={query} />
        ) : (
          <Choice<MrrGroup>
            label={t`Group by`}
            value={group}
            options={mrrGroups.map((value) => ({ value, label: mrrGroupLabels[value] }))}
            onChange={(value) => search.change({ by: value === "month" ? undefined : value })}
          />
        )
      }
    >
      {(mrr) => <MrrReport mrr={mrr} sorting={search.sorting} />}
    </Loaded>
  );
};

const views: Record<TabName, (props: { search: ReportSearch }) => ReactNode> = {
  revenue: ({ search }) => <RevenueTab search={search} group={search.group} />,
  tax: ({ search }) => <RevenueTab search={search} group="tax" />,
  promotions: ({ search }) => <RevenueTab search={search} group="promotion" />,
  mrr: ({ search }) => <MrrTab search={search} />,
  customers: ({ search }) => <CustomersTab search={search} />,
  retention: ({ search }) => (
    <Loaded search={search} query={retentionQuery(queryIn(search))}>
      {(retention) => <RetentionReport retention={retention} sorting={search.sorting} />}
    </Loaded>
  ),
  "app-share": ({ search }) => <ShareTab search={search} />,
  saved: () => <SavedReports />,
  rows: ({ search }) => {
    const query = { ...queryIn(search), ...search.rows };
    return (
      <Loaded search={search} query={revenueRowsQuery(query)}>
        {(first) => <RevenueRowsTable key={JSON.stringify(query)} first={first} query={query} />}
      </Loaded>
    );
  },
  "share-rows": ({ search }) => {
    const query = { ...queryIn(search), rule: search.rule, ...search.share };
    return (
      <Loaded search={search} query={shareRowsQuery(query)}>
        {(first) => <ShareRowsTable key={JSON.stringify(query)} first={first} query={query} />}
      </Loaded>
    );
  },
  subscribers: ({ search }) => {
    const query = queryIn(search);
    return (
      <Loaded search={search} query={subscribersQuery(query)}>
        {(first) => <Subscribers key={JSON.stringify(query)} first={first} query={query} />}
      </Loaded>
    );
  },
  retained: ({ search }) => <RetainedCustomers query={search.cohort} />,
};

/** Opened by a click on a number, so they are tabs only while they are open. */
const hiddenTabs: readonly TabName[] = ["rows", "subscribers", "retained", "share-rows"];

/** Reports of revenue, recurring revenue and customers. */
export const Reports = () => {
  const search = useReportSearch();
  if (!useMay("reports:read")) return <Forbidden permission="reports:read" />;
  const View = views[search.tab];
  const { currency } = search.period;
  const { definitions: defined } = tabs[search.tab];
  const meanings = defined && definitions[defined];
  const shownTabs = tabNames.filter((one) => one === search.tab || !hiddenTabs.includes(one));
  return (
    <div className="reports">
      <PageHead title={t`Reports`} />
      <nav className="report-tabs" aria-label={t`Reports`}>
        {shownTabs.map((name) => (
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
      {meanings && (
        <section className="report-definitions">
          <h2>{t`Definitions`}</h2>
          <dl>
            {meanings.map(([word, meaning]) => (
              <div key={word}>
                <dt>{word}</dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </div>
  );
};
