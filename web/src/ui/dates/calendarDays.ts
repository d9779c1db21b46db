import "dayjs/locale/de";
import "dayjs/locale/en-gb";
import type { DayOfWeek } from "@mantine/dates";
import dayjs from "dayjs";
import { language } from "#lib/messages.ts";

/** The name of the locale in dayjs, which has other ones than `Intl`. */
export const dayjsLocale = language.toLowerCase() in dayjs.Ls ? language.toLowerCase() : "en";

type WeekInfo = { getWeekInfo?: () => { firstDay: number } };

/** From 0 for Sunday. Not every browser knows weeks, and dayjs only those of its loaded locales. */
export const firstDayOfWeek = () => {
  const known: WeekInfo = new Intl.Locale(language);
  const first = known.getWeekInfo?.().firstDay ?? dayjs.Ls[dayjsLocale]?.weekStart ?? 0;
  return (first % 7) as DayOfWeek;
};

export const longDate = (day: string) =>
  new Intl.DateTimeFormat(language, { dateStyle: "full", timeZone: "UTC" }).format(
    new Date(`${day}T00:00Z`),
  );

export const monthName = (day: string) =>
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

/** The day that a key moves to from another one, or null for other keys. */
export const dayAfterKey = (
  from: string,
  { key, shiftKey }: { key: string; shiftKey: boolean },
  week: DayOfWeek,
) => moves[key]?.(dayjs(from), week, shiftKey).format("YYYY-MM-DD") ?? null;
