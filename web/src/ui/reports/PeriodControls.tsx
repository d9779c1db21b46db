import { t } from "@lingui/core/macro";
import "./reports.css";
import { type Comparison, comparisons } from "@purser/contract/reports/period";
import { type Range, ranges } from "@purser/contract/reports/search";
import { Suspense } from "react";
import { runtime } from "#lib/page/runtime.ts";
import { part } from "../page/lazyPart.tsx";
import { comparisonLabels, daysOf, type PeriodSearch, rangeLabels } from "./period.ts";

const DateField = part(async () => (await import("../dates/DateInput.tsx")).DateField);

type SelectProps<Value extends string> = {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
};

/** A small choice in the head of a page. */
export const Choice = <Value extends string>(props: SelectProps<Value>) => {
  const { label, value, options, onChange } = props;
  return (
    <select
      className="report-choice"
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value as Value)}
    >
      {options.map((one) => (
        <option key={one.value} value={one.value}>
          {one.label}
        </option>
      ))}
    </select>
  );
};

type Props = {
  search: PeriodSearch;
  usual: Range;
  currency: string;
  currencies: readonly string[];
  compares?: boolean;
  onChange: (search: PeriodSearch) => void;
};

const CustomDays = ({ search, usual, onChange }: Pick<Props, "search" | "usual" | "onChange">) => {
  const { from, until } = daysOf(search, usual);
  const change = (days: { from?: string; until?: string }) => {
    const next = { from, until, ...days };
    if (/^\d{4}-\d\d-\d\d$/.test(next.from) && /^\d{4}-\d\d-\d\d$/.test(next.until))
      onChange({ ...search, ...next });
  };
  return (
    <Suspense>
      <DateField
        key={`from ${from}`}
        aria-label={t`From`}
        zone={runtime.companyTimeZone}
        value={from}
        max={until}
        onChange={(day) => change({ from: day })}
      />
      <DateField
        key={`until ${until}`}
        aria-label={t`To`}
        zone={runtime.companyTimeZone}
        value={until}
        min={from}
        onChange={(day) => change({ until: day })}
      />
    </Suspense>
  );
};

/** The range, comparison and currency of a report. */
export const PeriodControls = (props: Props) => {
  const { search, usual, currency, currencies, compares = true, onChange } = props;
  const range = search.range ?? usual;
  const { from: _from, until: _until, ...rest } = search;
  const choose = (next: Range) =>
    onChange({ ...rest, range: next, ...(next === "custom" && daysOf(search, usual)) });
  return (
    <div className="report-controls">
      <Choice
        label={t`Period`}
        value={range}
        options={ranges.map((value) => ({ value, label: rangeLabels[value] }))}
        onChange={choose}
      />
      {range === "custom" && <CustomDays search={search} usual={usual} onChange={onChange} />}
      {compares && (
        <Choice<Comparison>
          label={t`Comparison`}
          value={search.compare ?? "previous"}
          options={comparisons.map((value) => ({ value, label: comparisonLabels[value] }))}
          onChange={(compare) => onChange({ ...search, compare })}
        />
      )}
      <Choice
        label={t`Currency`}
        value={currency}
        options={currencies.map((value) => ({ value, label: value }))}
        onChange={(chosen) => onChange({ ...search, currency: chosen })}
      />
    </div>
  );
};
