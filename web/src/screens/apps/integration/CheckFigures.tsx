import { plural, t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { decimal, number } from "#lib/intl.ts";
import { sharePercent } from "#lib/money/reportNumbers.ts";
import { Moment } from "#ui/Moment.tsx";
import type { Integration } from "./queries.ts";

type FigureProps = { label: string; value: ReactNode; unit?: string | null; note: ReactNode };

const Figure = ({ label, value, unit, note }: FigureProps) => (
  <div>
    <dt>{label}</dt>
    <dd>
      <b>
        {value} {unit && <small>{unit}</small>}
      </b>
      <span>{note}</span>
    </dd>
  </div>
);

const labels: Record<Integration["period"], string> = {
  hour: t`Checks, last hour`,
  day: t`Checks, last 24 hours`,
  month: t`Checks, last 30 days`,
};

/** Few checks need decimals. */
export const rateText = (perSecond: number) =>
  perSecond >= 10 || perSecond === 0 ? number(Math.round(perSecond)) : decimal(perSecond, 2);

export const durationText = (ms: number | null) =>
  ms === null ? "–" : decimal(ms, ms < 10 ? 1 : 0);

const averageOf = ({ checks, from, asOf }: Integration) => {
  const seconds = Math.max(1, (Date.parse(asOf) - Date.parse(from)) / 1000);
  return rateText(checks / seconds);
};

const peakNote = (peak: NonNullable<Integration["peak"]>) => (
  <>
    {peak.seconds === 60 ? t`Busiest minute` : t`Busiest hour`}, <Moment at={peak.at} />
  </>
);

/** Checks, peak, denials and latency of the period. */
export const CheckFigures = ({ shown }: { shown: Integration }) => {
  const { period, checks, denied, peak, latency } = shown;
  const average = averageOf(shown);
  const [p95, p99] = [durationText(latency.p95), durationText(latency.p99)];
  return (
    <dl className="check-figures">
      <Figure
        label={labels[period]}
        value={number(checks)}
        note={t`${average} a second on average`}
      />
      <Figure
        label={t`Peak`}
        value={peak ? rateText(peak.perSecond) : "–"}
        unit={peak && t`a second`}
        note={peak ? peakNote(peak) : t`No checks`}
      />
      <Figure
        label={t`Denied`}
        value={checks > 0 ? sharePercent(denied / checks) : "–"}
        note={plural(denied, { one: "# check", other: "# checks" })}
      />
      <Figure
        label={t`Latency`}
        value={durationText(latency.p50)}
        unit={latency.p50 === null ? null : t`ms p50`}
        note={latency.p50 === null ? t`No checks` : t`${p95} ms p95, ${p99} ms p99`}
      />
    </dl>
  );
};
