import type { Message } from "@purser/contract/messages/message";
import { usageDaysMax } from "@purser/contract/usage/endpoints";
import { fieldError, Problem } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";
import { addDays, localDateOf } from "#platform/periods.ts";

const dayMs = 86_400_000;

const invalid = (pointer: string, detail: Message) =>
  new Problem("invalid", detail, { errors: [fieldError(pointer, detail, "query")] });

type Asked = { from?: string | undefined; to?: string | undefined };

/** The days of a request, both included: by default the last 30 until the last day. */
export const usagePeriodOf = (asked: Asked, now: Date, zone: string) => {
  const to = asked.to ?? localDateOf(now, zone);
  const from = asked.from ?? localDateOf(addDays(new Date(`${to}T12:00:00Z`), -29, "UTC"), "UTC");
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  if (days < 1)
    throw invalid(
      "/to",
      message("usage_end_before_start", "Choose a day on or after the first one."),
    );
  if (days > usageDaysMax)
    throw invalid(
      "/from",
      message("usage_period_too_long", "Choose at most {max} days.", { max: usageDaysMax }),
    );
  return { from, to };
};
