import { t } from "@lingui/core/macro";
import "./integration.css";
import "#ui/charts/charts.css";
import "#ui/styles/choiceSheets.ts";
import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { runtime } from "#lib/page/runtime.ts";
import { useMay } from "#lib/session/session.ts";
import { Failed } from "#ui/page/Empty.tsx";
import { Section } from "#ui/page/Page.tsx";
import type { App } from "../queries.ts";
import { LatencyChart, RateChart } from "./CheckCharts.tsx";
import { CheckedFeatures } from "./CheckedFeatures.tsx";
import { CheckFigures } from "./CheckFigures.tsx";
import { CopyCommand } from "./CopyCommand.tsx";
import { DenialList, reasonIn } from "./DenialList.tsx";
import { DenialReasons, DeniedFeatures } from "./Denials.tsx";
import { KeysInUse } from "./KeysInUse.tsx";
import { PeriodSegments } from "./PeriodSegments.tsx";
import { integrationQuery, type Integration as Shown } from "./queries.ts";
import { SetupSteps } from "./SetupSteps.tsx";
import { TestCheck } from "./TestCheck.tsx";
import { UsageExport } from "./UsageExport.tsx";
import { useShown } from "./useShown.ts";

const Controls = ({ of: { keys } }: { of: Shown }) => {
  const { shown, show } = useShown();
  return (
    <div className="check-controls">
      <PeriodSegments
        value={shown.period ?? "day"}
        onChange={(period) => show({ period: period === "day" ? "" : period })}
      />
      <NativeSelect
        aria-label={t`API key`}
        size="xs"
        value={shown.key ?? ""}
        data={[
          { value: "", label: t`All keys` },
          ...keys.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={({ currentTarget }) => show({ key: currentTarget.value })}
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

const Figures = ({ app, shown }: { app: App; shown: Shown }) => (
  <>
    <div className="check-pair">
      <RateChart shown={shown} />
      <LatencyChart shown={shown} />
    </div>
    <div className="check-pair">
      <DenialReasons shown={shown} />
      <DeniedFeatures shown={shown} />
    </div>
    <CheckedFeatures app={app} />
  </>
);

const Overview = ({ app }: { app: App }) => {
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
      {isUsed && <Controls of={data} />}
      {isUsed && <CheckFigures shown={data} />}
      <div className="check-columns">
        <div>
          {isUsed ? <Figures app={app} shown={data} /> : <NoChecks />}
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

/** How the app uses checks, for the developers who connect it. */
export const Integration = ({ app }: { app: App }) => {
  const reason = reasonIn(useShown().shown.reason);
  const mayRead = useMay("users:read");
  return reason && mayRead ? <DenialList app={app} reason={reason} /> : <Overview app={app} />;
};
