import { dayMs } from "#lib/time/dates.ts";
import { formatMonth } from "#lib/time/days.ts";

export type Span = { from: number; to: number };

type Window = { startsAt: string | null; endsAt: string | null };

const beforeMs = 18 * dayMs;
const afterMs = 31 * dayMs;
const mostMs = 800 * dayMs;

/** The drawn period: the promotion's own with a margin, always including today. */
export const spanOf = ({ startsAt, endsAt }: Window, now: number): Span => {
  const start = startsAt === null ? now : Math.max(Date.parse(startsAt), now - mostMs);
  const end = endsAt === null ? now + afterMs : Math.min(Date.parse(endsAt), now + mostMs);
  return { from: Math.min(start, now) - beforeMs, to: Math.max(end, now) + afterMs };
};

/** The position of a moment in a span, from 0 to 100. */
export const placeIn = ({ from, to }: Span, at: number) =>
  Math.min(100, Math.max(0, ((at - from) / (to - from)) * 100));

/** The part of a promotion's bar that lies within the span. */
export const barIn = (span: Span, { startsAt, endsAt }: Window) => {
  const left = startsAt === null ? 0 : placeIn(span, Date.parse(startsAt));
  const right = endsAt === null ? 100 : placeIn(span, Date.parse(endsAt));
  return { left, width: Math.max(0, right - left) };
};

const monthsShown = 7;

/** The starts of months within a span, thinned out so that their labels fit. */
export const monthsIn = (span: Span, zone: string): { at: number; label: string }[] => {
  const first = new Date(span.from);
  const months: { at: number; label: string }[] = [];
  for (let step = 1; ; step += 1) {
    const at = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + step, 1);
    if (at >= span.to) break;
    // Noon UTC is on the same day in nearly every time zone.
    months.push({ at, label: formatMonth(zone, new Date(at + dayMs / 2)) });
  }
  const every = Math.ceil(months.length / monthsShown);
  return months.filter((_, place) => place % every === 0);
};
