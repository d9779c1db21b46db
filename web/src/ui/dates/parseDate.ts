/** Local time as in the value of a date input ("2026-11-16") or of a date and time input ("2026-11-16T14:30"). */
export type LocalTime = string;

type Context = {
  locale: string;
  /** The current local time: "2026-11-16T14:30". */
  now: LocalTime;
  withTime: boolean;
};

type Day = { year: number; month: number; day: number };

const pad = (value: number, length = 2) => String(value).padStart(length, "0");

const dateOf = ({ year, month, day }: Day) => {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date;
};

const dayOf = (date: Date): Day => ({
  year: date.getUTCFullYear(),
  month: date.getUTCMonth() + 1,
  day: date.getUTCDate(),
});

const writeDay = ({ year, month, day }: Day) => `${pad(year, 4)}-${pad(month)}-${pad(day)}`;

const readDay = (value: LocalTime): Day => dayOf(new Date(`${value.slice(0, 10)}T00:00Z`));

/** Null for a day that doesn't exist, such as February 30. */
const existing = (wanted: Day): Day | null => {
  const { month, day, year } = dayOf(dateOf(wanted));
  return month === wanted.month && day === wanted.day && year === wanted.year ? wanted : null;
};

/** Without case, accents and final dots: "Sept." and "sept" are the same. */
const fold = (text: string) =>
  text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/\.+$/, "");

/** English is understood in every locale. */
const namingLocales = (locale: string) => [locale, "en"];

type Vocabulary = {
  /** By folded name, such as "nov" or "november". */
  months: Map<string, number>;
  /** The distance in days, by folded word such as "tomorrow". */
  days: Map<string, number>;
  now: Set<string>;
  /** By folded name, such as "days" or "day". */
  units: Map<string, Unit>;
  /** Whether dates in digits start with the month. */
  isMonthFirst: boolean;
};

const units = ["day", "week", "month", "year"] as const;
type Unit = (typeof units)[number];

const partsOf = (locale: string, options: Intl.DateTimeFormatOptions, at: Date) =>
  new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" }).formatToParts(at);

const isMonthFirst = (locale: string) => {
  const order = partsOf(locale, { dateStyle: "short" }, new Date(0)).map(({ type }) => type);
  return order.indexOf("month") < order.indexOf("day");
};

const vocabularyOf = (locale: string): Vocabulary => {
  const months = new Map<string, number>();
  const days = new Map<string, number>();
  const now = new Set<string>();
  const unitNames = new Map<string, Unit>();
  // The user's language last, because it wins.
  for (const one of namingLocales(locale).toReversed()) {
    for (let month = 1; month <= 12; month += 1)
      for (const style of ["long", "short"] as const) {
        const at = dateOf({ year: 2026, month, day: 1 });
        const parts = partsOf(one, { day: "numeric", month: style }, at);
        months.set(fold(parts.find(({ type }) => type === "month")?.value ?? ""), month);
      }
    const relative = new Intl.RelativeTimeFormat(one, { numeric: "auto" });
    for (const distance of [-2, -1, 0, 1, 2])
      days.set(fold(relative.format(distance, "day")), distance);
    now.add(fold(relative.format(0, "second")));
    for (const unit of units)
      for (const amount of [1, 2]) {
        const format = new Intl.NumberFormat(one, { style: "unit", unit, unitDisplay: "long" });
        const name = format.formatToParts(amount).find(({ type }) => type === "unit")?.value;
        unitNames.set(fold(name ?? ""), unit);
      }
  }
  return { months, days, now, units: unitNames, isMonthFirst: isMonthFirst(locale) };
};

const vocabularies = new Map<string, Vocabulary>();
const vocabulary = (locale: string) => {
  const known = vocabularies.get(locale) ?? vocabularyOf(locale);
  vocabularies.set(locale, known);
  return known;
};

/** The meaning of a word or of its beginning. The user's language comes last in the table. */
const lookUp = <T>(table: Map<string, T>, typed: string): T | null => {
  const word = fold(typed);
  const name = [...table.keys()].findLast((known) => known.startsWith(word));
  return table.get(word) ?? (name === undefined ? null : (table.get(name) ?? null));
};

/** Moves a day. Months that are too short end at their last day. */
const shifted = (from: Day, amount: number, unit: Unit): Day => {
  if (unit === "day" || unit === "week") {
    const days = unit === "week" ? 7 * amount : amount;
    return dayOf(dateOf({ ...from, day: from.day + days }));
  }
  const months = unit === "year" ? 12 * amount : amount;
  const first = dayOf(dateOf({ ...from, month: from.month + months, day: 1 }));
  const last = dayOf(dateOf({ ...first, month: first.month + 1, day: 0 }));
  return { ...first, day: Math.min(from.day, last.day) };
};

const yearOf = (typed: string | undefined, now: Day) => {
  if (typed === undefined || typed === "") return now.year;
  return typed.length === 2 ? 2000 + Number(typed) : Number(typed);
};

/** "16.11.2026", "11/16", or "2026-11-16". */
const readDigits = (typed: string, now: Day, { isMonthFirst: monthFirst }: Vocabulary) => {
  const iso = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(typed);
  if (iso) return existing({ year: Number(iso[1]), month: Number(iso[3]), day: Number(iso[4]) });
  const match = /^(\d{1,2}) ?[-/.] ?(\d{1,2})\.?(?: ?[-/.]? ?(\d{4}|\d{2}))?$/.exec(typed);
  if (!match) return null;
  const [first, second] = [Number(match[1]), Number(match[2])];
  const year = yearOf(match[3], now);
  const usual = monthFirst ? { month: first, day: second } : { month: second, day: first };
  // The other order can only be meant if the usual one has no such month.
  return (
    existing({ year, ...usual }) ??
    (usual.month > 12 ? existing({ year, month: usual.day, day: usual.month }) : null)
  );
};

/** "16 nov", "Nov 16, 2026" or "16. Nov. 2026". */
const readNamed = (typed: string, now: Day, { months }: Vocabulary) => {
  // Fillers such as "of" and "de" have two letters at most, names of months three.
  const words = typed.split(/[\s,./-]+/).filter((word) => !/^\p{L}{0,2}$/u.test(word));
  const [name, ...others] = words.filter((word) => /^\p{L}+$/u.test(word));
  const numbers = words.filter((word) => /^\d/.test(word));
  const month = name === undefined || others.length > 0 ? null : lookUp(months, name);
  const [day = "", year, ...rest] = numbers.map((word) => word.replace(/(?:st|nd|rd|th)$/, ""));
  const isRead =
    rest.length === 0 &&
    numbers.length + 1 === words.length &&
    /^\d{1,2}$/.test(day) &&
    /^(\d{2}|\d{4})?$/.test(year ?? "");
  return month === null || !isRead
    ? null
    : existing({ year: yearOf(year, now), month, day: Number(day) });
};

const readShift = (typed: string, now: Day, { units: names }: Vocabulary) => {
  const match = /^([-+−–]) ?(\d{1,4}) ?(\p{L}+)$/u.exec(typed);
  const [, sign, amount, name = ""] = match ?? [];
  const unit = match ? lookUp(names, name) : null;
  return unit === null ? null : shifted(now, (sign === "+" ? 1 : -1) * Number(amount), unit);
};

/** Splits a time off the end: "14:30", "2:30 pm", "2pm" or "14 Uhr". */
const splitTime = (typed: string) => {
  const match =
    /^(|.*[\s,t])(\d{1,2}):(\d{2})(?::\d{2})? ?(am|pm|a\.m\.|p\.m\.|uhr|)$/.exec(typed) ??
    /^(|.*[\s,])(\d{1,2})(?:\.(\d{2}))? ?(am|pm|a\.m\.|p\.m\.|uhr)$/.exec(typed);
  if (!match) return { rest: typed, time: "" };
  const [, rest = "", digits, minute = "00", half = ""] = match;
  const isHalf = half.startsWith("a") || half.startsWith("p");
  const hour = isHalf ? (Number(digits) % 12) + (half.startsWith("p") ? 12 : 0) : Number(digits);
  const isTime = hour < 24 && Number(minute) < 60 && !(isHalf && Number(digits) > 12);
  return isTime ? { rest: rest.replace(/[\s,t]+$/, ""), time: `${pad(hour)}:${minute}` } : null;
};

/**
 * Reads a date as typed: "16 nov", "16.11.2026", "11/16/2026", "16 Nov 2026 14:30", "+30d",
 * "tomorrow" and the like in the user's language. Null if it can't be read. Dates without a year
 * are in the current one, days without a time start at midnight.
 */
export const parseDate = (source: string, { locale, now, withTime }: Context): LocalTime | null => {
  const words = vocabulary(locale);
  const typed = source.replace(/\s+/g, " ").trim().toLowerCase();
  const today = readDay(now);
  const [, clock = "00:00"] = now.split("T");
  const written = (day: Day, time: string) => `${writeDay(day)}${withTime ? `T${time}` : ""}`;
  if (words.now.has(fold(typed))) return written(today, clock);
  const split = splitTime(typed);
  if (!split) return null;
  const { rest, time } = split;
  if (rest === "") return time && withTime ? written(today, time) : null;
  const moved = readShift(rest, today, words);
  if (moved) return written(moved, time || clock);
  const distance = words.days.get(fold(rest));
  const day =
    distance === undefined
      ? (readDigits(rest, today, words) ?? readNamed(rest, today, words))
      : shifted(today, distance, "day");
  return day && written(day, time || "00:00");
};

/** Whether it is a value and not text that could not be read. */
export const isLocalTime = (value: string, withTime: boolean): value is LocalTime =>
  (withTime ? /^\d{4}-\d\d-\d\dT\d\d:\d\d$/ : /^\d{4}-\d\d-\d\d$/).test(value);

const date = { day: "numeric", month: "short", year: "numeric" } as const;
const time = { hour: "numeric", minute: "2-digit" } as const;

/** "16 Nov 2026" or "16 Nov 2026, 14:30" as the user's locale writes it; other text as it is. */
export const showDate = (value: string, { locale, withTime }: Omit<Context, "now">) =>
  isLocalTime(value, withTime)
    ? new Intl.DateTimeFormat(locale, {
        ...date,
        ...(withTime && time),
        timeZone: "UTC",
      }).format(new Date(`${value}${withTime ? "" : "T00:00"}Z`))
    : value;
