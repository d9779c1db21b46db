import "@mantine/core/styles/Popover.layer.css";
import "@mantine/dates/styles.layer.css";
import "./calendar.css";
import "dayjs/locale/de";
import "dayjs/locale/en-gb";
import { t } from "@lingui/core/macro";
import { Button, Popover } from "@mantine/core";
import { DatePicker, type DayOfWeek, TimePicker } from "@mantine/dates";
import dayjs from "dayjs";
import { type KeyboardEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { language } from "#lib/messages.ts";

/** The name of the locale in dayjs, which has other ones than `Intl`. */
const dayjsLocale = language.toLowerCase() in dayjs.Ls ? language.toLowerCase() : "en";

type WeekInfo = { getWeekInfo?: () => { firstDay: number } };

/** From 0 for Sunday. Not every browser knows weeks, and dayjs only those of its loaded locales. */
const firstDayOfWeek = () => {
  const known: WeekInfo = new Intl.Locale(language);
  const first = known.getWeekInfo?.().firstDay ?? dayjs.Ls[dayjsLocale]?.weekStart ?? 0;
  return (first % 7) as DayOfWeek;
};

const hasHalfDays = () =>
  new Intl.DateTimeFormat(language, { hour: "numeric" }).resolvedOptions().hour12 ?? false;

const longDate = (day: string) =>
  new Intl.DateTimeFormat(language, { dateStyle: "full", timeZone: "UTC" }).format(
    new Date(`${day}T00:00Z`),
  );

const monthName = (day: string) =>
  new Intl.DateTimeFormat(language, { month: "long", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${day}T00:00Z`),
  );

type Move = (from: dayjs.Dayjs, week: DayOfWeek, isShift: boolean) => dayjs.Dayjs;

const placeInWeek = (day: dayjs.Dayjs, week: DayOfWeek) => (day.day() - week + 7) % 7;

/** The keys of a calendar, as in the date picker of the ARIA Authoring Practices Guide. */
const moves: Record<string, Move | undefined> = {
  ArrowLeft: (day) => day.subtract(1, "day"),
  ArrowRight: (day) => day.add(1, "day"),
  ArrowUp: (day) => day.subtract(1, "week"),
  ArrowDown: (day) => day.add(1, "week"),
  Home: (day, week) => day.subtract(placeInWeek(day, week), "day"),
  End: (day, week) => day.add(6 - placeInWeek(day, week), "day"),
  PageUp: (day, _, isShift) => day.subtract(1, isShift ? "year" : "month"),
  PageDown: (day, _, isShift) => day.add(1, isShift ? "year" : "month"),
};

type Props = {
  id: string;
  opened: boolean;
  today: string;
  value: string;
  withTime: boolean;
  min: string | undefined;
  max: string | undefined;
  onChange: (value: string) => void;
  onDone: (value: string) => void;
};

const Content = ({ today, value, withTime, min, max, onChange, onDone }: Props) => {
  const [day = "", time = ""] = value.split("T");
  const clamp = (wanted: string) => {
    if (min && wanted < min) return min;
    return max && wanted > max ? max : wanted;
  };
  const start = clamp(day || today);
  const [shown, setShown] = useState(start);
  const days = useRef<HTMLDivElement>(null);
  const hours = useRef<HTMLInputElement>(null);
  const week = firstDayOfWeek();
  const pick = (chosen: string | null) => {
    // Choosing the chosen day again means it, too.
    const next = chosen ?? day;
    if (!withTime) {
      onChange(next);
      onDone(next);
      return;
    }
    onChange(`${next}T${time || "00:00"}`);
    hours.current?.focus();
  };
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const from = event.target instanceof HTMLElement && event.target.dataset["date"];
    const step = moves[event.key];
    if (!from || !step) return;
    event.preventDefault();
    event.stopPropagation();
    const next = clamp(step(dayjs(from), week, event.shiftKey).format("YYYY-MM-DD"));
    flushSync(() => setShown(next));
    const wanted = `[data-date="${next}"]:not([data-outside])`;
    days.current?.querySelector<HTMLElement>(wanted)?.focus();
  };
  return (
    <>
      <span className="unseen" aria-live="polite">
        {monthName(shown)}
      </span>
      <div ref={days} onKeyDownCapture={move}>
        <DatePicker
          size="sm"
          locale={dayjsLocale}
          firstDayOfWeek={week}
          value={day || null}
          onChange={pick}
          date={shown}
          onDateChange={setShown}
          {...(min && { minDate: min })}
          {...(max && { maxDate: max })}
          allowDeselect
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
            "aria-pressed": date === day,
            ...(date === today && { "aria-current": "date" }),
            // The day in focus, because the popup may set the focus again after the first keys.
            ...(date === shown && { "data-autofocus": true }),
          })}
        />
      </div>
      {withTime && (
        <div className="calendar-time">
          <TimePicker
            size="sm"
            aria-label={t`Time`}
            format={hasHalfDays() ? "12h" : "24h"}
            hoursInputLabel={t`Hours`}
            minutesInputLabel={t`Minutes`}
            amPmInputLabel={t`AM or PM`}
            hoursRef={hours}
            value={time}
            onChange={(next) => next && onChange(`${day || start}T${next.slice(0, 5)}`)}
            onKeyDown={(event) => event.key === "Enter" && onDone(value)}
          />
          <Button variant="default" onClick={() => onDone(value)}>
            {t`Done`}
          </Button>
        </div>
      )}
    </>
  );
};

/** The calendar of a date field. */
export const CalendarPopup = (props: Props) => (
  <Popover
    opened={props.opened}
    position="bottom-end"
    withRoles={false}
    trapFocus
    closeOnEscape={false}
    closeOnClickOutside={false}
  >
    <Popover.Target>
      <span className="popup-anchor" />
    </Popover.Target>
    <Popover.Dropdown
      id={props.id}
      role="dialog"
      aria-label={props.withTime ? t`Choose a date and time` : t`Choose a date`}
      className="calendar"
      // A press in the calendar isn't one outside of a surrounding popup.
      onMouseDown={(event) => event.stopPropagation()}
      onTouchStart={(event) => event.stopPropagation()}
      // Escape in the calendar doesn't close a surrounding dialog.
      onFocusCapture={({ target }) => target.setAttribute("data-mantine-stop-propagation", "true")}
    >
      <Content {...props} />
    </Popover.Dropdown>
  </Popover>
);
