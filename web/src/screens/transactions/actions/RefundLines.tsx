import { t } from "@lingui/core/macro";
import "../lineTable.css";
import { amount as formatted, percent } from "#lib/intl.ts";
import type { EditedAmount } from "#lib/money/amounts.ts";
import { parseAmount } from "#lib/parseNumber.ts";
import { formatDate } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { ParsedNumberInput } from "#ui/form/inputs/ParsedNumberInput.tsx";
import type { Details, RefundPreview } from "../queries.ts";
import { amountOf, type PreviewLine, type Wish } from "./refundAmounts.ts";

type Stored = Details["lines"][number];

const periodText = ({ periodStart, periodEnd }: Stored, zone: string) => {
  if (periodStart === null || periodEnd === null) return t`One-time purchase`;
  const start = formatDate(zone, new Date(periodStart));
  const end = formatDate(zone, new Date(periodEnd));
  return t`${start} to ${end}`;
};

const unusedText = ({ paid, unused }: PreviewLine) => {
  const share = percent(unused / paid, 1);
  return t`${share} unused`;
};

const noteOf = (line: PreviewLine, stored: Stored | undefined, zone: string) => [
  ...(stored ? [periodText(stored, zone)] : []),
  ...(line.paid > 0 && stored?.periodEnd ? [unusedText(line)] : []),
];

type CellProps = {
  line: PreviewLine;
  place: number;
  currency: string;
  value: EditedAmount;
  error: string | null;
  onChange: (amount: EditedAmount) => void;
};

const AmountCell = ({ line: { name, refundable }, place, currency, ...cell }: CellProps) => (
  <ParsedNumberInput
    aria-label={t`Refund of ${name}`}
    name={`lines.${place}.amount`}
    className="number-input"
    inputMode="decimal"
    disabled={refundable === 0}
    value={cell.value}
    error={cell.error}
    // An empty cell refunds nothing.
    read={(typed) => (typed.trim() === "" ? 0 : parseAmount(typed, currency))}
    show={(amount) => formatted(amount, currency)}
    onChange={cell.onChange}
  />
);

type RowProps = CellProps & { stored: Stored | undefined; isOnly: boolean };

const Row = ({ stored, isOnly, ...cell }: RowProps) => {
  const zone = useTimeZone();
  const { line, currency, value } = cell;
  const { name, paid, credited, refundable } = line;
  return (
    <tr>
      <th scope="row">
        {isOnly ? (
          name
        ) : (
          <label className="line-choice">
            <input
              type="checkbox"
              className="box"
              disabled={refundable === 0}
              checked={value !== 0}
              onChange={({ currentTarget }) =>
                cell.onChange(currentTarget.checked ? refundable : 0)
              }
            />
            {name}
          </label>
        )}
        <small>{noteOf(line, stored, zone).join(" · ")}</small>
      </th>
      <td data-label={t`Paid`}>{formatted(paid, currency)}</td>
      <td data-label={t`Credited`} {...(credited === 0 && { "data-zero": true })}>
        {formatted(credited, currency)}
      </td>
      <td data-label={t`Refundable`}>{formatted(refundable, currency)}</td>
      <td data-main>
        <AmountCell {...cell} />
      </td>
    </tr>
  );
};

const leftText = ({ refundable }: RefundPreview, sum: number, currency: string) => {
  const left = formatted(Math.max(0, refundable - sum), currency);
  return t`${left} left to refund`;
};

type SumProps = {
  preview: RefundPreview;
  /** Null while an amount is invalid. */
  sum: number | null;
  currency: string;
};

const Sum = ({ preview, sum, currency }: SumProps) => {
  const { lines, refundable, total, tax } = preview;
  const all = (part: "paid" | "credited") => lines.reduce((sofar, line) => sofar + line[part], 0);
  const net = formatted(total - tax, currency);
  const taxed = formatted(tax, currency);
  return (
    <tr data-sum="last">
      <th scope="row">
        {t`Total`}
        {sum !== null && <small>{t`Net ${net}, tax ${taxed}`}</small>}
      </th>
      <td data-label={t`Paid`}>{formatted(all("paid"), currency)}</td>
      <td data-label={t`Credited`}>{formatted(all("credited"), currency)}</td>
      <td data-label={t`Refundable`}>{formatted(refundable, currency)}</td>
      <td data-main>
        <b className="line-total">{sum === null ? "–" : formatted(sum, currency)}</b>
        {sum !== null && <small>{leftText(preview, sum, currency)}</small>}
      </td>
    </tr>
  );
};

type Props = {
  preview: RefundPreview;
  /** The transaction's own lines, with their periods. */
  stored: readonly Stored[];
  wish: Wish;
  sum: number | null;
  currency: string;
  isLate: boolean;
  errorOf: (line: PreviewLine, place: number) => string | null;
  onChange: (lineId: string, amount: EditedAmount) => void;
};

/** What was paid, credited and can be refunded by line, and the amount to refund of each. */
export const RefundLines = (props: Props) => {
  const { preview, stored, wish, sum, currency, isLate, errorOf, onChange } = props;
  return (
    <table className="line-table refund-lines" aria-label={t`Lines`}>
      <thead>
        <tr>
          <th scope="col">{t`Line`}</th>
          <th scope="col">{t`Paid`}</th>
          <th scope="col">{t`Credited`}</th>
          <th scope="col">{t`Refundable`}</th>
          <th scope="col">{t`Refund, ${currency}`}</th>
        </tr>
      </thead>
      <tbody>
        {preview.lines.map((line, place) => (
          <Row
            key={line.lineId}
            line={line}
            place={place}
            stored={stored.find(({ id }) => id === line.lineId)}
            isOnly={preview.lines.length === 1}
            currency={currency}
            value={amountOf(wish, line)}
            error={errorOf(line, place)}
            onChange={(amount) => onChange(line.lineId, amount)}
          />
        ))}
      </tbody>
      <tfoot aria-busy={isLate}>
        <Sum preview={preview} sum={sum} currency={currency} />
      </tfoot>
    </table>
  );
};
