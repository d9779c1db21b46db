import { t } from "@lingui/core/macro";
import "./home.css";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Suspense } from "react";
import { runtime } from "#lib/page/runtime.ts";
import { useMay, useMe } from "#lib/session/session.ts";
import { formatDate } from "#lib/time/dates.ts";
import { runningQuery } from "#screens/promotions/queries.ts";
import { revenueQuery, setupQuery, summaryQuery } from "#screens/reports/queries.ts";
import { Moment } from "#ui/Moment.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { PageHead } from "#ui/page/Page.tsx";
import { PeriodControls } from "#ui/reports/PeriodControls.tsx";
import { type PeriodSearch, queryOf, readPeriod } from "#ui/reports/period.ts";
import { Attention } from "./Attention.tsx";
import { Figures, FiguresSkeleton } from "./Figures.tsx";
import { RecentActivity } from "./RecentActivity.tsx";
import { Setup } from "./Setup.tsx";

// Charts and tables load after the figures.
const RevenueChart = part(async () => (await import("./RevenueChart.tsx")).RevenueChart);
const PackageMix = part(async () => (await import("./PackageMix.tsx")).PackageMix);
const TaxCollected = part(async () => (await import("./TaxCollected.tsx")).TaxCollected);
const RunningPromotions = part(
  async () => (await import("./RunningPromotions.tsx")).RunningPromotions,
);

const usual = "30d";

const useHomeSearch = () => {
  const search = readPeriod(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (next: PeriodSearch) =>
    void navigate({ to: "/", search: readPeriod(next) as never, resetScroll: false });
  return { search, change };
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

const ChartPart = ({ search }: { search: PeriodSearch }) => {
  const { data, error, refetch } = useQuery(revenueQuery(reportQueryOf(search)));
  const promotions = useQuery(runningQuery).data?.items ?? [];
  if (error && !data)
    return <Failed title={t`Couldn't load revenue`} error={error} onRetry={() => refetch()} />;
  return (
    <div className="home-chart">
      {data && (
        <Suspense>
          <RevenueChart revenue={data} lanes={promotions.slice(0, 4)} height={240} />
        </Suspense>
      )}
    </div>
  );
};

const MixPart = ({ search }: { search: PeriodSearch }) => {
  const query = { ...reportQueryOf(search), group: "package" as const };
  const { data, error, refetch } = useQuery(revenueQuery(query));
  if (error && !data)
    return (
      <Failed title={t`Couldn't load the package mix`} error={error} onRetry={() => refetch()} />
    );
  return <Suspense>{data && <PackageMix revenue={data} />}</Suspense>;
};

const TaxPart = ({ search }: { search: PeriodSearch }) => {
  const query = { ...reportQueryOf(search), group: "tax" as const };
  const { data, error, refetch } = useQuery(revenueQuery(query));
  if (error && !data)
    return <Failed title={t`Couldn't load taxes`} error={error} onRetry={() => refetch()} />;
  return <Suspense>{data && <TaxCollected revenue={data} />}</Suspense>;
};

const PromotionsPart = () => {
  const { data, error, refetch } = useQuery(runningQuery);
  if (error && !data)
    return <Failed title={t`Couldn't load promotions`} error={error} onRetry={() => refetch()} />;
  return <Suspense>{data && <RunningPromotions items={data.items} />}</Suspense>;
};

const Head = ({ search, change }: ReturnType<typeof useHomeSearch>) => {
  const mayReport = useMay("reports:read");
  const { data } = useQuery({ ...summaryQuery(reportQueryOf(search)), enabled: mayReport });
  const currency = data?.currency ?? search.currency ?? "";
  return (
    <PageHead
      title={t`Home`}
      facts={
        <>
          {formatDate(runtime.companyTimeZone, new Date())}
          {data && (
            <>
              <span className="dot" />
              {data.isRebuilding ? (
                t`Figures are being counted again. Some are missing.`
              ) : (
                <span>
                  {t`Figures updated`} <Moment at={data.asOf} />
                </span>
              )}
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

/** The business at a glance: figures, what needs attention, and what happened. */
export const Home = () => {
  const { search, change } = useHomeSearch();
  const { role, twoFactor } = useMe();
  const mayReport = useMay("reports:read");
  const setup = useQuery(setupQuery).data?.steps ?? [];
  // Until the first payment, after which the figures show more.
  const isFirstRun = setup.some(({ step, isDone }) => step === "payment" && !isDone);
  return (
    <div className="home">
      <Head search={search} change={change} />
      <div className="sheet">
        {isFirstRun && (
          <div className="home-setup">
            <Setup steps={setup} />
          </div>
        )}
        {mayReport && <FigureStrip search={search} />}
        <div className="home-columns" {...(!mayReport && { "data-narrow": true })}>
          {mayReport && <ChartPart search={search} />}
          <Attention asksForTwoFactor={!twoFactor && !isFirstRun} />
        </div>
        <div className="home-thirds">
          {mayReport && <MixPart search={search} />}
          {role === "finance" ? <TaxPart search={search} /> : <PromotionsPart />}
          {role !== "finance" && <RecentActivity />}
        </div>
      </div>
    </div>
  );
};
