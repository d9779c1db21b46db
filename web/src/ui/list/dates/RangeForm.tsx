import "./dates.css";
import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useState } from "react";
import { runtime } from "#lib/page/runtime.ts";
import { currentTime } from "#lib/time/currentTime.ts";
import { formatDate } from "#lib/time/dates.ts";
import { localDateTime } from "#lib/time/localTime.ts";
import { type Range, RangeCalendar } from "#ui/dates/RangeCalendar.tsx";
import type { FilterParts } from "../filters/filterLabels.ts";
import { daysOf, presets } from "./presets.ts";

type Props = {
  given: FilterParts | null;
  /** Null for all time. */
  onApply: (filter: string | null) => void;
  onCancel: () => void;
};

const filterOf = ([from, to]: Range) => {
  if (from === null) return null;
  return to === null || to === from ? `on:${from}` : `between:${from},${to}`;
};

const shown = (day: string) => formatDate("UTC", new Date(day));

/** Ranges by name on the left, and days of two months on the right. */
export const RangeForm = ({ given, onApply, onCancel }: Props) => {
  const { companyTimeZone: timeZone } = runtime;
  const today = localDateTime(timeZone, currentTime()).slice(0, 10);
  const isNarrow = useMediaQuery("(max-width: 767px)", undefined, {
    getInitialValueInEffect: false,
  });
  const [range, setRange] = useState<Range>(() =>
    given ? daysOf(given.operator, given.value, today) : [null, null],
  );
  const current = given && `${given.operator}:${given.value}`;
  const [from, to] = range;
  return (
    <form
      className="range-form"
      onSubmit={(event) => {
        event.preventDefault();
        onApply(filterOf(range));
      }}
    >
      <ul className="range-presets">
        {presets.map(({ label, filter }) => (
          <li key={filter}>
            <button
              type="button"
              className="popover-option"
              aria-pressed={filter === current}
              onClick={() => onApply(filter)}
            >
              {label}
            </button>
          </li>
        ))}
        <li>
          <button
            type="button"
            className="popover-option"
            aria-pressed={current === null}
            onClick={() => onApply(null)}
          >
            {t`All time`}
          </button>
        </li>
      </ul>
      <RangeCalendar today={today} months={isNarrow ? 1 : 2} value={range} onChange={setRange} />
      <footer>
        <span className="softer">{t`Days are in ${timeZone}`}</span>
        <span className="spacer" />
        <Button variant="default" onClick={onCancel}>
          {t`Cancel`}
        </Button>
        <Button type="submit" disabled={from === null}>
          {label()}
        </Button>
      </footer>
    </form>
  );

  function label() {
    if (from === null) return t`Choose days`;
    const first = shown(from);
    return to === null || to === from
      ? t`Show ${first}`
      : t`Show ${first} to ${{ last: shown(to) }}`;
  }
};
