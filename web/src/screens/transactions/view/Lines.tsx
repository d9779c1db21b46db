import { t } from "@lingui/core/macro";
import "../lineTable.css";
import { Trans } from "@lingui/react/macro";
import { amount as formatted } from "#lib/intl.ts";
import { quantityLabel } from "#lib/money/prices.ts";
import { commonTaxLabel, taxHeading, taxLabel } from "#lib/money/taxes.ts";
import { Day } from "#ui/Moment.tsx";
import { Section } from "#ui/page/Page.tsx";
import type { Details } from "../queries.ts";

type Line = Details["lines"][number];

const Period = ({ periodStart, periodEnd }: Line) =>
  periodStart && periodEnd ? (
    <Trans>
      <Day at={periodStart} /> to <Day at={periodEnd} />
    </Trans>
  ) : (
    t`One-time`
  );

/** The tax of all lines, and whether the price includes it. */
const taxNote = ({ lines, taxIncluded }: Details) => {
  const label = commonTaxLabel(lines);
  if (label === null) return undefined;
  const isTaxed = lines.some(({ tax }) => tax > 0);
  if (!isTaxed) return label;
  return taxIncluded ? t`${label}, included in the price` : t`${label}, added to the price`;
};

type Sums = Pick<Line, "net" | "tax" | "gross" | "credited" | "refundable">;

const sumOf = (lines: readonly Sums[], part: keyof Sums) =>
  lines.reduce((sum, line) => sum + line[part], 0);

type AmountsProps = { of: Sums; currency: string; taxed: string };

const Amounts = ({ of, currency, taxed }: AmountsProps) => {
  const { net, tax, gross, credited, refundable } = of;
  return (
    <>
      <td data-label={t`Net`}>{formatted(net, currency)}</td>
      <td data-label={taxed}>{formatted(tax, currency)}</td>
      <td data-main>
        <b>{formatted(gross, currency)}</b>
      </td>
      <td data-label={t`Credited`} {...(credited === 0 && { "data-zero": true })}>
        {formatted(credited, currency)}
      </td>
      <td data-label={t`Left`}>{formatted(refundable, currency)}</td>
    </>
  );
};

const lineNote = (line: Line, isCommon: boolean) => [
  ...(isCommon ? [] : [taxLabel(line)]),
  ...(line.taxReason ? [line.taxReason] : []),
];

/** What was charged, and what is left of it after credits and refunds. */
export const Lines = ({ stored }: { stored: Details }) => {
  const { lines, currency } = stored;
  if (lines.length === 0) return null;
  const taxed = taxHeading(lines);
  const isCommon = commonTaxLabel(lines) !== null;
  const sums: Sums = {
    net: sumOf(lines, "net"),
    tax: sumOf(lines, "tax"),
    gross: sumOf(lines, "gross"),
    credited: sumOf(lines, "credited"),
    refundable: sumOf(lines, "refundable"),
  };
  return (
    <Section title={t`Lines`} note={taxNote(stored)}>
      <table className="line-table">
        <thead>
          <tr>
            <th scope="col">{t`Line`}</th>
            <th scope="col" data-text>
              {t`Period`}
            </th>
            <th scope="col">{t`Net`}</th>
            <th scope="col">{taxed}</th>
            <th scope="col">{t`Total`}</th>
            <th scope="col">{t`Credited`}</th>
            <th scope="col">{t`Left`}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.id}>
              <th scope="row">
                {quantityLabel(line.name, line.quantity)}
                {lineNote(line, isCommon).map((note) => (
                  <small key={note}>{note}</small>
                ))}
              </th>
              <td data-text data-label={t`Period`}>
                <Period {...line} />
              </td>
              <Amounts of={line} currency={currency} taxed={taxed} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr data-sum="last">
            <th scope="row">{t`Total, ${currency}`}</th>
            <td />
            <Amounts of={sums} currency={currency} taxed={taxed} />
          </tr>
        </tfoot>
      </table>
    </Section>
  );
};
