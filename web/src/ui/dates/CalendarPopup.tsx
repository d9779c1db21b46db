import "@mantine/core/styles/Popover.layer.css";
import "@mantine/dates/styles.layer.css";
import "./calendar.css";
import { t } from "@lingui/core/macro";
import { Button, Popover } from "@mantine/core";
import { DatePicker, TimePicker } from "@mantine/dates";
import { type KeyboardEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { language } from "#lib/messages.ts";
import { dayAfterKey, dayjsLocale, firstDayOfWeek, longDate, monthName } from "./calendarDays.ts";

const hasHalfDays = () =>
  new Intl.DateTimeFormat(language, { hour: "numeric" }).resolvedOptions().hour12 ?? false;

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
    const reached = from && dayAfterKey(from, event, week);
    if (!reached) return;
    event.preventDefault();
    event.stopPropagation();
    const next = clamp(reached);
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
