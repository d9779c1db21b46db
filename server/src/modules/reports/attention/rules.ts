import type { Attention } from "@purser/contract/reports/attention";
import type { Refusal } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";

const last = Number.POSITIVE_INFINITY;

/** The largest amount of one currency, because amounts of several can't be compared exactly. */
const worthOf = ({ amounts }: Pick<Attention, "amounts">) =>
  Math.max(0, ...amounts.map(({ amount }) => amount));

type Urgency = Pick<Attention, "dueAt" | "amounts" | "count">;

/** By due date, then by money. */
export const byUrgency = (one: Urgency, other: Urgency) => {
  const [due = last, otherDue = last] = [one, other].map(({ dueAt }) => dueAt?.getTime() ?? last);
  if (due !== otherDue) return due < otherDue ? -1 : 1;
  return worthOf(other) - worthOf(one) || other.count - one.count;
};

/** What a caller saw is gone. */
export const refusalToMark = (found: readonly unknown[]): Refusal | null =>
  found.length > 0
    ? null
    : {
        code: "wrong_state",
        detail: message(
          "attention_changed",
          "This no longer needs attention. Refresh the page to see what does.",
        ),
      };
