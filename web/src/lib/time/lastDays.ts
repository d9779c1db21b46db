import { t } from "@lingui/core/macro";
import { runtime } from "#lib/page/runtime.ts";
import { currentTime } from "./currentTime.ts";
import { dayMs } from "./dates.ts";
import { localDateTime } from "./localTime.ts";

/** A choice of days until today, as a text for inputs. */
export type LastDays = "7" | "30" | "90" | "365";

export const lastDaysOptions: { value: LastDays; label: string }[] = [
  { value: "7", label: t`Last 7 days` },
  { value: "30", label: t`Last 30 days` },
  { value: "90", label: t`Last 90 days` },
  { value: "365", label: t`Last 12 months` },
];

/** The first and the last day, in the company's time zone. */
export const lastDays = (days: LastDays, now = currentTime()) => {
  const to = localDateTime(runtime.companyTimeZone, now).slice(0, 10);
  const first = new Date(Date.parse(to) - (Number(days) - 1) * dayMs);
  return { from: first.toISOString().slice(0, 10), to };
};
