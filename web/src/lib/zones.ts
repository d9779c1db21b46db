export const dayMs = 24 * 3_600_000;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "long" });

const steps = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", 7],
] as const;

/** "3 hours ago", for up to a week; older is told by its date. */
export const agoOf = (at: Date, now: Date): string | null => {
  let amount = (at.getTime() - now.getTime()) / 1000;
  if (Math.abs(amount) < 5) return "just now";
  for (const [unit, size] of steps) {
    if (Math.abs(amount) < size) return relative.format(Math.trunc(amount), unit);
    amount /= size;
  }
  return null;
};

const formats = new Map<string, Intl.DateTimeFormat>();
const formatOf = (options: Intl.DateTimeFormatOptions) => {
  const key = JSON.stringify(options);
  const known = formats.get(key) ?? new Intl.DateTimeFormat("en-GB", options);
  formats.set(key, known);
  return known;
};

const date = { day: "numeric", month: "short", year: "numeric" } as const;
const time = { hour: "2-digit", minute: "2-digit" } as const;

export const dateIn = (timeZone: string, at: Date) => formatOf({ ...date, timeZone }).format(at);
export const timeIn = (timeZone: string, at: Date) => formatOf({ ...time, timeZone }).format(at);
export const exactIn = (timeZone: string, at: Date) =>
  `${formatOf({ ...date, ...time, second: "2-digit", timeZone }).format(at)} ${timeZone}`;

/** How far a zone is from UTC now: "UTC+02:00". */
export const offsetOf = (timeZone: string, now: Date) => {
  const parts = formatOf({ timeZone, timeZoneName: "longOffset" }).formatToParts(now);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  return name.replace("GMT", "UTC");
};

export const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
