import { dayMs, monthIn } from "#lib/time/dates.ts";

export type Span = { from: number; to: number };

type Window = { startsAt: string | null; endsAt: string | null };

const beforeMs = 18 * dayMs;
const afterMs = 31 * dayMs;
const mostMs = 800 * dayMs;

/** The time that is drawn: the promotion's own with room around it, and always today. */
export const spanOf = ({ startsAt, endsAt }: Window, now: number): Span => {
  const start = startsAt === null ? now : Math.max(Date.parse(startsAt), now - mostMs);
  const end = endsAt === null ? now + afterMs : Math.min(Date.parse(endsAt), now + mostMs);
  return { from: Math.min(start, now) - beforeMs, to: Math.max(end, now) + afterMs };
};

/** Where a moment lies in a span, from 0 to 100. */
export const placeIn = ({ from, to }: Span, at: number) =>
  Math.min(100, Math.max(0, ((at - from) / (to - from)) * 100));

/** A bar from the start to the end of a promotion, as far as it is within the span. */
export const barIn = (span: Span, { startsAt, endsAt }: Window) => {
  const left = startsAt === null ? 0 : placeIn(span, Date.parse(startsAt));
  const right = endsAt === null ? 100 : placeIn(span, Date.parse(endsAt));
  return { left, width: Math.max(0, right - left) };
};

const monthsShown = 7;

/** The beginnings of months within a span, so many that their names have room. */
export const monthsIn = (span: Span, zone: string): { at: number; label: string }[] => {
  const first = new Date(span.from);
  const months: { at: number; label: string }[] = [];
  for (let step = 1; ; step += 1) {
    const at = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + step, 1);
    if (at >= span.to) break;
    // Noon is the same day wherever the company is.
    months.push({ at, label: monthIn(zone, new Date(at + dayMs / 2)) });
  }
  const every = Math.ceil(months.length / monthsShown);
  return months.filter((_, place) => place % every === 0);
};
