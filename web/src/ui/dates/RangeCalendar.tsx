import "@mantine/dates/styles.layer.css";
import "./calendar.css";
import { t } from "@lingui/core/macro";
import { DatePicker } from "@mantine/dates";
import dayjs from "dayjs";
import { type KeyboardEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { dayAfterKey, dayjsLocale, firstDayOfWeek, longDate, monthName } from "./calendarDays.ts";

/** The first and the last day; only the first one while the user chooses. */
export type Range = [string | null, string | null];

const inOrder = (a: string, b: string): Range => (a <= b ? [a, b] : [b, a]);

type Props = { today: string; months: 1 | 2; value: Range; onChange: (value: Range) => void };

const monthOf = (day: string) => dayjs(day).format("YYYY-MM");

/** Months side by side in which a range of days is chosen, also by keyboard: T is today, Shift extends. */
export const RangeCalendar = ({ today, months, value, onChange }: Props) => {
  const [from, to] = value;
  const last = to ?? from ?? today;
  const monthsBack = months - 1;
  const [focused, setFocused] = useState(last);
  const [first, setFirst] = useState(
    dayjs(last).subtract(monthsBack, "month").format("YYYY-MM-01"),
  );
  const days = useRef<HTMLDivElement>(null);
  const anchor = useRef<string | null>(null);
  const week = firstDayOfWeek();
  const show = (day: string) => {
    setFocused(day);
    const end = dayjs(first).add(monthsBack, "month");
    if (monthOf(day) < monthOf(first)) setFirst(dayjs(day).format("YYYY-MM-01"));
    else if (monthOf(day) > end.format("YYYY-MM"))
      setFirst(dayjs(day).subtract(monthsBack, "month").format("YYYY-MM-01"));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const at = event.target instanceof HTMLElement && event.target.dataset["date"];
    if (!at || event.ctrlKey || event.metaKey || event.altKey) return;
    const isToday = event.key.toLowerCase() === "t";
    const next = isToday ? today : dayAfterKey(at, event, week);
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    const isExtending = event.shiftKey && /^Arrow/.test(event.key);
    if (isExtending) anchor.current ??= at;
    else anchor.current = null;
    flushSync(() => {
      show(next);
      if (isExtending && anchor.current) onChange(inOrder(anchor.current, next));
    });
    days.current?.querySelector<HTMLElement>(`[data-date="${next}"]`)?.focus();
  };
  return (
    <div className="calendar" ref={days} onKeyDownCapture={onKeyDown}>
      <span className="unseen" aria-live="polite">
        {monthName(focused)}
      </span>
      <DatePicker
        type="range"
        allowSingleDateInRange
        size="sm"
        numberOfColumns={months}
        hideOutsideDates
        locale={dayjsLocale}
        firstDayOfWeek={week}
        value={value}
        onChange={onChange}
        date={first}
        onDateChange={setFirst}
        enableKeyboardNavigation={false}
        ariaLabels={{
          previousMonth: t`Previous month`,
          nextMonth: t`Next month`,
          previousYear: t`Previous year`,
          nextYear: t`Next year`,
          previousDecade: t`Previous decade`,
          nextDecade: t`Next decade`,
        }}
        getDayAriaLabel={longDate}
        getDayProps={(date) => ({
          "data-date": date,
          "aria-pressed": from !== null && date >= from && date <= (to ?? from),
          ...(date === today && { "aria-current": "date" as const }),
          ...(date === focused && { "data-autofocus": true }),
        })}
      />
    </div>
  );
};
