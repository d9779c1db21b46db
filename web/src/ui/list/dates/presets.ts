import { t } from "@lingui/core/macro";
import dayjs from "dayjs";
import type { Range } from "#ui/dates/RangeCalendar.tsx";

/** Ranges that move with time, so that a saved view stays up to date. */
export const presets = [
  { label: t`Today`, filter: "this:day" },
  { label: t`Yesterday`, filter: "previous:day" },
  { label: t`Last 7 days`, filter: "last:7" },
  { label: t`Last 30 days`, filter: "last:30" },
  { label: t`This month`, filter: "this:month" },
  { label: t`Last month`, filter: "previous:month" },
  { label: t`This quarter`, filter: "this:quarter" },
  { label: t`This year`, filter: "this:year" },
] as const;

const day = (at: dayjs.Dayjs) => at.format("YYYY-MM-DD");

/** The first day of a period. Weeks begin on Monday, as in the database. */
const startOf = (at: dayjs.Dayjs, period: string) => {
  if (period === "week") return at.subtract((at.day() + 6) % 7, "day");
  if (period === "quarter") return at.startOf("month").subtract(at.month() % 3, "month");
  return at.startOf(period as "day" | "month" | "year");
};

const back = (at: dayjs.Dayjs, period: string) =>
  period === "quarter"
    ? at.subtract(3, "month")
    : at.subtract(1, period as "day" | "week" | "month" | "year");

/** The days of a filter, to show them in the calendar. Periods that go on end today. */
export const daysOf = (operator: string, value: string, today: string): Range => {
  const now = dayjs(today);
  const [first = "", second = first] = value.split(",").map((one) => one.slice(0, 10));
  switch (operator) {
    case "on":
      return [first, first];
    case "between":
      return [first, second];
    case "last":
      return [day(now.subtract(Number(value), "day")), today];
    case "this":
      return [day(startOf(now, value)), today];
    case "previous": {
      const start = startOf(now, value);
      return [day(back(start, value)), day(start.subtract(1, "day"))];
    }
    default:
      return [null, null];
  }
};
