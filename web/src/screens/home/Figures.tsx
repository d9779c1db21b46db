import { t } from "@lingui/core/macro";
import "#ui/charts/charts.css";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { number, signedAmount } from "#lib/intl.ts";
import { sharePercent } from "#lib/money/reportNumbers.ts";
import type { Summary } from "#screens/reports/queries.ts";
import { Sparkline } from "#ui/charts/Sparkline.tsx";
import { Delta } from "#ui/reports/Delta.tsx";
import { customersOf, rowsOf, settledIn, subscribersOf } from "#ui/reports/links.ts";

type Place = ReturnType<
  typeof settledIn | typeof customersOf | typeof subscribersOf | typeof rowsOf
>;

type Figure = {
  label: string;
  value: string;
  unit?: string;
  delta: ReactNode;
  note: string | null;
  course: number[];
  link: Place;
};

const was = (value: string) => t`was ${value}`;

const signedNumber = (value: number) =>
  `${value > 0 ? "+" : ""}${value < 0 ? "−" : ""}${number(Math.abs(value))}`;

const shareOf = ({ trialsPaid, trialsLost }: { trialsPaid: number; trialsLost: number }) =>
  trialsPaid + trialsLost === 0 ? null : trialsPaid / (trialsPaid + trialsLost);

const moneyFigures = ({ totals, previousTotals: before, days, ...about }: Summary): Figure[] => {
  const { currency } = about;
  const shown = (minor: number) => signedAmount(minor, currency);
  const returned = (one: { refunds: number; disputes: number }) => one.refunds + one.disputes;
  return [
    {
      label: t`Net revenue`,
      value: shown(totals.net),
      unit: currency,
      delta: before && <Delta now={totals.net} before={before.net} />,
      note: before && was(shown(before.net)),
      course: days.map(({ net }) => net),
      link: rowsOf(about, "total", ""),
    },
    {
      label: t`MRR`,
      value: shown(totals.mrr),
      unit: currency,
      delta: before && <Delta now={totals.mrr} before={before.mrr} />,
      note: before && was(shown(before.mrr)),
      course: days.map(({ mrr }) => mrr),
      link: subscribersOf(about),
    },
    {
      label: t`Refunds and disputes`,
      value: shown(returned(totals)),
      unit: currency,
      delta: before && <Delta now={returned(totals)} before={returned(before)} isLessBetter />,
      note: before && was(shown(returned(before))),
      course: days.map((day) => day.returned),
      link: settledIn(about, "kind:any:refund,chargeback"),
    },
  ];
};

const countFigures = ({ totals, previousTotals: before, days, ...about }: Summary): Figure[] => {
  const [now, earlier] = [shareOf(totals), before && shareOf(before)];
  const ended = totals.trialsPaid + totals.trialsLost;
  const gained = (one: { gained: number; lost: number }) => one.gained - one.lost;
  return [
    {
      label: t`Active subscribers`,
      value: number(totals.subscribers),
      delta: before && <Delta now={totals.subscribers} before={before.subscribers} />,
      note: before && was(number(before.subscribers)),
      course: days.map(({ subscribers }) => subscribers),
      link: subscribersOf(about),
    },
    {
      label: t`Net new subscribers`,
      value: signedNumber(gained(totals)),
      delta: before && <Delta now={gained(totals)} before={gained(before)} />,
      note: `${number(totals.gained)} − ${number(totals.lost)}`,
      course: days.map(gained),
      link: customersOf(about, "subscribers"),
    },
    {
      label: t`Trial conversion`,
      value: now === null ? "–" : sharePercent(now),
      delta: now !== null && earlier !== null ? <Delta now={now} before={earlier} isShare /> : null,
      note: now === null ? t`No trials ended` : t`${number(totals.trialsPaid)} of ${number(ended)}`,
      // Days on which no trial ended have no rate.
      course: days.map(shareOf).filter((share) => share !== null),
      link: customersOf(about, "trials ended"),
    },
  ];
};

/** The six figures, in the order of the strip. */
const figuresOf = (summary: Summary) => {
  const [revenue, mrr, returned] = moneyFigures(summary);
  return [revenue, mrr, ...countFigures(summary), returned].filter((one) => one !== undefined);
};

/** The key figures. Each opens the rows that it adds up. */
export const Figures = ({ summary }: { summary: Summary }) => (
  <div className="figures">
    {figuresOf(summary).map(({ label, value, unit, delta, note, course, link }) => (
      <Link key={label} {...link} className="figure">
        <span className="figure-label">{label}</span>
        <b>
          {value} {unit && <small>{unit}</small>}
        </b>
        <span className="figure-change">
          {delta} <span>{note}</span>
        </span>
        <Sparkline values={course} />
      </Link>
    ))}
  </div>
);

const placeholders = ["a", "b", "c", "d", "e", "f"];

/** The strip while the figures load, in its final size. */
export const FiguresSkeleton = () => (
  <div className="figures" role="status" aria-label={t`Loading`}>
    {placeholders.map((key) => (
      <div key={key} className="figure">
        <span className="skeleton" style={{ width: "60%" }} />
      </div>
    ))}
  </div>
);
