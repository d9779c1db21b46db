import { t } from "@lingui/core/macro";
import "./integration.css";
import "#ui/charts/charts.css";
import "#ui/styles/choiceSheets.ts";
import { NativeSelect } from "@mantine/core";
import type { IntegrationPeriod } from "@purser/contract/integration/endpoints";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { runtime } from "#lib/page/runtime.ts";
import { useMay } from "#lib/session/session.ts";
import { Segments } from "#ui/form/inputs/Segments.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Section } from "#ui/page/Page.tsx";
import type { App } from "../queries.ts";
import { LatencyChart, RateChart } from "./CheckCharts.tsx";
import { CheckFigures } from "./CheckFigures.tsx";
import { CopyCommand } from "./CopyCommand.tsx";
import { DenialReasons, DeniedFeatures } from "./Denials.tsx";
import { KeysInUse } from "./KeysInUse.tsx";
import { integrationQuery, type Integration as Shown } from "./queries.ts";
import { SetupSteps } from "./SetupSteps.tsx";
import { TestCheck } from "./TestCheck.tsx";
import { UsageExport } from "./UsageExport.tsx";

const periodOptions: { value: IntegrationPeriod; label: string }[] = [
  { value: "hour", label: t`Last hour` },
  { value: "day", label: t`24 hours` },
  { value: "month", label: t`30 days` },
];

const Controls = ({ shown }: { shown: Shown }) => {
  const { period = "day", key = "" } = useSearch({ from: "/apps/view/$id" });
  const navigate = useNavigate();
  const show = (search: { period: IntegrationPeriod; key: string }) =>
    void navigate({
      to: ".",
      replace: true,
      search: {
        tab: "integration",
        ...(search.period !== "day" && { period: search.period }),
        ...(search.key && { key: search.key }),
      } as never,
    });
  return (
    <div className="check-controls">
      <Segments
        legend={t`Period`}
        name="period"
        value={period}
        options={periodOptions}
        onChange={(value) => show({ period: value, key })}
      />
      <NativeSelect
        aria-label={t`API key`}
        size="xs"
        value={key}
        data={[
          { value: "", label: t`All keys` },
          ...shown.keys.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={({ currentTarget }) => show({ period, key: currentTarget.value })}
      />
    </div>
  );
};

const firstCommand = () => {
  const url = new URL(`${runtime.apiBaseUrl}/check`, location.origin);
  return `curl -H "Authorization: Bearer $PURSER_KEY" "${url.href}?user=CUSTOMER&feature=FEATURE"`;
};

/** Instead of empty charts. */
const NoChecks = () => (
  <Section title={t`Make the first check`}>
    <p>{t`Send this request from your app's server. Checks appear here within seconds.`}</p>
    <CopyCommand title={t`Request`} command={firstCommand()} />
  </Section>
);

const Figures = ({ shown }: { shown: Shown }) => (
  <>
    <div className="check-pair">
      <RateChart shown={shown} />
      <LatencyChart shown={shown} />
    </div>
    <div className="check-pair">
      <DenialReasons shown={shown} />
      <DeniedFeatures shown={shown} />
    </div>
  </>
);

/** How the app uses checks, for the developers who connect it. */
export const Integration = ({ app }: { app: App }) => {
  const search = useSearch({ from: "/apps/view/$id" });
  const mayTest = useMay("users:read");
  const mayExport = useMay("users:export");
  const { data, error, refetch } = useQuery(integrationQuery(app.id, search));
  if (error && !data)
    return <Failed title={t`Couldn't load checks`} error={error} onRetry={() => refetch()} />;
  if (!data)
    return (
      <div role="status" aria-label={t`Loading`} className="check-loading">
        {["64%", "88%", "40%"].map((width) => (
          <span key={width} className="skeleton" style={{ width }} />
        ))}
      </div>
    );
  const isUsed = data.setup.firstCheckAt !== null;
  return (
    <div className="integration">
      <SetupSteps setup={data.setup} />
      {isUsed && <Controls shown={data} />}
      {isUsed && <CheckFigures shown={data} />}
      <div className="check-columns">
        <div>
          {isUsed ? <Figures shown={data} /> : <NoChecks />}
          <KeysInUse keys={data.keys} asOf={data.asOf} />
          {mayExport && <UsageExport app={app} />}
        </div>
        {mayTest && (
          <aside>
            <TestCheck app={app} />
          </aside>
        )}
      </div>
    </div>
  );
};
