import { t } from "@lingui/core/macro";
import "./home.css";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Suspense } from "react";
import { runtime } from "#lib/page/runtime.ts";
import { updatePreferences, usePreferences } from "#lib/session/preferences.ts";
import { useMay, useMe } from "#lib/session/session.ts";
import { currentTime } from "#lib/time/currentTime.ts";
import { formatDate } from "#lib/time/dates.ts";
import { localDateTime } from "#lib/time/localTime.ts";
import { endedQuery, type Promotion, runningQuery } from "#screens/promotions/queries.ts";
import { revenueQuery, setupQuery, summaryQuery } from "#screens/reports/queries.ts";
import { Failed } from "#ui/page/Empty.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { PageHead } from "#ui/page/Page.tsx";
import { attempt } from "#ui/popups/toast.ts";
import { FiguresAge } from "#ui/reports/FiguresAge.tsx";
import { PeriodControls } from "#ui/reports/PeriodControls.tsx";
import { type PeriodSearch, queryOf, readPeriod } from "#ui/reports/period.ts";
import { Attention } from "./Attention.tsx";
import { Figures, FiguresSkeleton } from "./Figures.tsx";
import { RecentActivity } from "./RecentActivity.tsx";
import { hasOpenSteps, Setup } from "./Setup.tsx";

// Charts and tables load after the figures.
const RevenueChart = part(async () => (await import("./RevenueChart.tsx")).RevenueChart);
const PackageMix = part(async () => (await import("./PackageMix.tsx")).PackageMix);
const TaxCollected = part(async () => (await import("./TaxCollected.tsx")).TaxCollected);
const RunningPromotions = part(
  async () => (await import("./RunningPromotions.tsx")).RunningPromotions,
);

const usual = "30d";

type HomeSearch = PeriodSearch & {
  /** Only what is assigned to the user. */
  attention?: "mine";
  /** The setup, also if it was hidden. */
  setup?: "shown";
};

const readHome = (given: Record<string, string | string[] | undefined>): HomeSearch => ({
  ...readPeriod(given),
  ...(given["attention"] === "mine" && { attention: "mine" }),
  ...(given["setup"] === "shown" && { setup: "shown" }),
});

const useHomeSearch = () => {
  const search = readHome(useSearch({ strict: false }));
  const navigate = useNavigate();
  const go = (next: HomeSearch) =>
    void navigate({ to: "/", search: next as never, resetScroll: false });
  const { attention, setup, ...period } = search;
  const own = { ...(attention && { attention }), ...(setup && { setup }) };
  return {
    search,
    change: (next: PeriodSearch) => go({ ...readPeriod(next), ...own }),
    showMine: (isMine: boolean) =>
      go({ ...period, ...(setup && { setup }), ...(isMine && { attention: "mine" }) }),
    closeSetup: () => go({ ...period, ...(attention && { attention }) }),
  };
};

const reportQueryOf = (search: PeriodSearch) => ({
  ...queryOf(search, usual),
  ...(search.compare && { compare: search.compare }),
});

const FigureStrip = ({ search }: { search: PeriodSearch }) => {
  const { data, error, refetch } = useQuery(summaryQuery(reportQueryOf(search)));
  if (error && !data)
    return <Failed title={t`Couldn't load the figures`} error={error} onRetry={() => refetch()} />;
  return data ? <Figures summary={data} /> : <FiguresSkeleton />;
};

/** By package for the chart too, so that one request serves both. */
const packagesQuery = (search: PeriodSearch) =>
  revenueQuery({ ...reportQueryOf(search), group: "package" });

const lanesMax = 6;

/** Promotions that customers could use in a period, from the first start. */
const lanesOf = (
  { from, until, timeZone }: { from: string; until: string; timeZone: string },
  running: readonly Promotion[],
  ended: readonly Promotion[],
) => {
  const startOf = ({ startsAt }: Promotion) =>
    startsAt ? localDateTime(timeZone, new Date(startsAt)).slice(0, 10) : from;
  return [...running.filter((one) => startOf(one) <= until), ...ended]
    .toSorted((one, other) => startOf(one).localeCompare(startOf(other)))
    .slice(0, lanesMax);
};

const ChartPart = ({ search }: { search: PeriodSearch }) => {
  const { data, error, refetch } = useQuery(packagesQuery(search));
  const running = useQuery(runningQuery).data?.items ?? [];
  const ended = useQuery({
    ...endedQuery({ from: data?.from ?? "", until: data?.until ?? "" }),
    enabled: data !== undefined,
  });
  if (error && !data)
    return <Failed title={t`Couldn't load revenue`} error={error} onRetry={() => refetch()} />;
  return (
    <div className="home-chart">
      {data && (
        <Suspense>
          <RevenueChart
            revenue={data}
            lanes={lanesOf(data, running, ended.data?.items ?? [])}
            height={240}
          />
        </Suspense>
      )}
    </div>
  );
};

/** Keeps the place of a part until it is loaded, so that the others don't move. */
const Waiting = () => <section aria-busy="true" />;

const MixPart = ({ search }: { search: PeriodSearch }) => {
  const { data, error, refetch } = useQuery(packagesQuery(search));
  if (error && !data)
    return (
      <Failed title={t`Couldn't load the package mix`} error={error} onRetry={() => refetch()} />
    );
  return (
    <Suspense fallback={<Waiting />}>
      {data ? <PackageMix revenue={data} search={search} /> : <Waiting />}
    </Suspense>
  );
};

const TaxPart = ({ search }: { search: PeriodSearch }) => {
  const query = { ...reportQueryOf(search), group: "tax" as const };
  const { data, error, refetch } = useQuery(revenueQuery(query));
  if (error && !data)
    return <Failed title={t`Couldn't load taxes`} error={error} onRetry={() => refetch()} />;
  return (
    <Suspense fallback={<Waiting />}>
      {data ? <TaxCollected revenue={data} search={search} /> : <Waiting />}
    </Suspense>
  );
};

const PromotionsPart = () => {
  const { data, error, refetch } = useQuery(runningQuery);
  if (error && !data)
    return <Failed title={t`Couldn't load promotions`} error={error} onRetry={() => refetch()} />;
  return (
    <Suspense fallback={<Waiting />}>
      {data ? <RunningPromotions items={data.items} /> : <Waiting />}
    </Suspense>
  );
};

const Head = ({ search, change }: Pick<ReturnType<typeof useHomeSearch>, "search" | "change">) => {
  const mayReport = useMay("reports:read");
  const { data } = useQuery({ ...summaryQuery(reportQueryOf(search)), enabled: mayReport });
  const currency = data?.currency ?? search.currency ?? "";
  return (
    <PageHead
      title={t`Home`}
      facts={
        <>
          {formatDate(runtime.companyTimeZone, currentTime())}
          {data && (
            <>
              <span className="dot" />
              <FiguresAge of={data} />
            </>
          )}
        </>
      }
      actions={
        mayReport && (
          <PeriodControls
            search={search}
            usual={usual}
            currency={currency}
            currencies={data?.currencies ?? (currency ? [currency] : [])}
            onChange={change}
          />
        )
      }
    />
  );
};

/** Until all steps are done or it is hidden, then only on request. From the first payment, the figures come first. */
const useSetup = (isAsked: boolean) => {
  const steps = useQuery(setupQuery).data?.steps ?? [];
  const { permissions } = useMe();
  const { hidesSetup } = usePreferences();
  const isFirstRun = steps.some(({ step, isDone }) => step === "payment" && !isDone);
  const isShown = isAsked ? steps.length > 0 : !hidesSetup && hasOpenSteps(steps, permissions);
  return { steps, isShown, place: isAsked || isFirstRun ? "first" : "below" };
};

/** The business at a glance: figures, what needs attention, and what happened. */
export const Home = () => {
  const { search, change, showMine, closeSetup } = useHomeSearch();
  const { role, twoFactor } = useMe();
  const mayReport = useMay("reports:read");
  const setup = useSetup(search.setup === "shown");
  const hideSetup = () =>
    attempt(async () => {
      if (search.setup) closeSetup();
      await updatePreferences({ hidesSetup: true });
    });
  const checklist = setup.isShown && (
    <div className="home-setup">
      <Setup steps={setup.steps} onHide={hideSetup} />
    </div>
  );
  return (
    <div className="home">
      <Head search={search} change={change} />
      <div className="sheet">
        {setup.place === "first" && checklist}
        {mayReport && <FigureStrip search={search} />}
        <div className="home-columns" {...(!mayReport && { "data-narrow": true })}>
          {mayReport && <ChartPart search={search} />}
          <Attention
            asksForTwoFactor={!twoFactor && !setup.isShown}
            isMine={search.attention === "mine"}
            onMine={showMine}
          />
        </div>
        {setup.place === "below" && checklist}
        <div className="home-thirds">
          {mayReport && <MixPart search={search} />}
          {role === "finance" ? <TaxPart search={search} /> : <PromotionsPart />}
          {role !== "finance" && <RecentActivity />}
        </div>
      </div>
    </div>
  );
};
