import { plural, t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { exportAppUsage } from "@purser/contract/usage/endpoints";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { addressOf } from "#lib/api/call.ts";
import { number } from "#lib/intl.ts";
import { useMay } from "#lib/session/session.ts";
import { type LastDays, lastDays, lastDaysOptions } from "#lib/time/lastDays.ts";
import { Segments } from "#ui/form/inputs/Segments.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Callout } from "#ui/page/Callout.tsx";
import { downloadLink } from "#ui/page/downloads.ts";
import { Failed } from "#ui/page/Empty.tsx";
import { Section } from "#ui/page/Page.tsx";
import { showDay } from "#ui/reports/period.ts";
import type { Feature } from "../queries.ts";
import { type FeatureUsage, featureUsageQuery } from "./queries.ts";
import { TopCustomers } from "./TopCustomers.tsx";
import { UsageByDay } from "./UsageByDay.tsx";

const Download = ({ feature: { app, code }, days }: { feature: Feature; days: LastDays }) => {
  const query = { ...lastDays(days), feature: code, format: "csv" as const };
  const file = addressOf(exportAppUsage.path, { params: { id: app.id }, query });
  return (
    <Button
      variant="default"
      size="compact-sm"
      component="a"
      {...downloadLink(file)}
      leftSection={<Icon name="download" size={14} />}
    >
      {t`Download CSV`}
    </Button>
  );
};

/** Says that there is too much usage to add up all of it. */
const Cut = ({ since }: { since: string | null }) => (
  <Callout tone="info" icon="info-circle">
    {since === null
      ? t`Too much usage to show here. Download it instead.`
      : t`Too much usage to show all of it. Figures start on ${showDay(since)}. Download the rest.`}
  </Callout>
);

const sumText = ({ used, customers }: FeatureUsage, { unit }: Feature) => {
  const amount = [number(used), unit && (used === 1 ? unit.one : unit.many)]
    .filter(Boolean)
    .join(" ");
  const people = plural(customers, { one: "# customer", other: "# customers" });
  return t`${amount} by ${people}`;
};

/** What all customers used of a metered feature. */
export const UsageOfFeature = ({ feature }: { feature: Feature }) => {
  const mayExport = useMay("users:export");
  const [days, setDays] = useState<LastDays>("30");
  const { data, error, refetch } = useQuery(featureUsageQuery(feature.id, days));
  if (error && !data)
    return <Failed title={t`Couldn't load usage`} error={error} onRetry={() => refetch()} />;
  const isUsed = data !== undefined && data.days.length > 0;
  return (
    <>
      <Section
        title={t`Usage`}
        note={isUsed && sumText(data, feature)}
        actions={mayExport && <Download feature={feature} days={days} />}
      >
        <Segments
          legend={t`Period`}
          name="usage-period"
          value={days}
          options={lastDaysOptions}
          onChange={setDays}
        />
        {data && data.since !== data.from && <Cut since={data.since} />}
        {data && data.since === data.from && !isUsed && (
          <p className="soft">{t`No usage in this period. Apps report it with the API.`}</p>
        )}
      </Section>
      {isUsed && <UsageByDay usage={data} />}
      {isUsed && <TopCustomers usage={data} />}
    </>
  );
};
