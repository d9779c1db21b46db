import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { number } from "#lib/intl.ts";
import { useMay } from "#lib/session/session.ts";
import { type LastDays, lastDaysOptions } from "#lib/time/lastDays.ts";
import { Sparkline } from "#ui/charts/Sparkline.tsx";
import { Segments } from "#ui/form/inputs/Segments.tsx";
import { Icon } from "#ui/Icon.tsx";
import { startDownload } from "#ui/page/downloads.ts";
import { Failed } from "#ui/page/Empty.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Section } from "#ui/page/Page.tsx";
import type { User } from "../queries.ts";
import { type Usage, type UsedFeature, usageQuery } from "./queries.ts";

const CorrectDialog = part(async () => (await import("./CorrectDialog.tsx")).CorrectDialog);

const dayMs = 86_400_000;

/** The usage of every day of the period, also of days without any. */
const courseOf = ({ from, to }: Usage, { days }: UsedFeature) => {
  const used = new Map(days.map((one) => [one.day, one.used]));
  const count = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
  return Array.from({ length: count }, (_, place) => {
    const day = new Date(Date.parse(from) + place * dayMs).toISOString().slice(0, 10);
    return used.get(day) ?? 0;
  });
};

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

const csvOf = ({ items }: Usage) =>
  [
    "app,feature,day,used",
    ...items.flatMap(({ app, feature, days }) =>
      days.map(({ day, used }) => [quoted(app.name), feature.code, day, used].join(",")),
    ),
  ].join("\r\n");

const download = (usage: Usage) => {
  const url = URL.createObjectURL(new Blob([csvOf(usage)], { type: "text/csv" }));
  startDownload(url, `usage-${usage.from}-${usage.to}.csv`);
  URL.revokeObjectURL(url);
};

type RowProps = { usage: Usage; item: UsedFeature; onCorrect: (() => void) | null };

const Row = ({ usage, item, onCorrect }: RowProps) => {
  const { app, feature, used } = item;
  const unit = feature.unit && (used === 1 ? feature.unit.one : feature.unit.many);
  return (
    <tr>
      <th scope="row">{feature.name}</th>
      <td className="soft">{app.name}</td>
      <td className="usage-course">
        <Sparkline values={courseOf(usage, item)} />
      </td>
      <td className="end">
        {number(used)} {unit && <span className="soft">{unit}</span>}
      </td>
      <td className="end">
        {onCorrect && (
          <Button variant="subtle" size="compact-sm" onClick={onCorrect}>{t`Correct…`}</Button>
        )}
      </td>
    </tr>
  );
};

/** What a customer used in a period, by feature. */
export const UsageTab = ({ user }: { user: User }) => {
  const mayCorrect = useMay("users:write");
  const [corrected, setCorrected] = useState<UsedFeature | null>(null);
  const [days, setDays] = useState<LastDays>("30");
  const { data, error, refetch } = useQuery(usageQuery(user.id, days));
  if (error && !data)
    return <Failed title={t`Couldn't load usage`} error={error} onRetry={() => refetch()} />;
  const items = data?.items ?? [];
  return (
    <Section
      title={t`Usage`}
      actions={
        data &&
        items.length > 0 && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<Icon name="download" size={14} />}
            onClick={() => download(data)}
          >
            {t`Download CSV`}
          </Button>
        )
      }
    >
      <Segments
        legend={t`Period`}
        name="usage-period"
        value={days}
        options={lastDaysOptions}
        onChange={setDays}
      />
      {data && items.length === 0 && (
        <p className="soft">{t`No usage in this period. Apps report it with the API.`}</p>
      )}
      {data && items.length > 0 && (
        <div className="scroll-x">
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">{t`Feature`}</th>
                <th scope="col">{t`App`}</th>
                <th scope="col">{t`By day`}</th>
                <th scope="col" className="end">
                  {t`Used`}
                </th>
                <th scope="col">
                  <span className="unseen">{t`Actions`}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {items.map((item) => (
                <Row
                  key={item.feature.id}
                  usage={data}
                  item={item}
                  onCorrect={mayCorrect ? () => setCorrected(item) : null}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Suspense>
        {corrected && (
          <CorrectDialog user={user} used={corrected} onClose={() => setCorrected(null)} />
        )}
      </Suspense>
    </Section>
  );
};
