import { quantityMax } from "@purser/contract/fields/values";
import type { Checked } from "../explanation/check.ts";

/** For each limit and choice there is a second flag with this ending, which only says whether it is allowed. */
export const allowedSuffix = ".allowed";

const reasonOf = ({ answer: { allowed, grants } }: Checked) => {
  if (!allowed) return "DISABLED";
  return grants.length > 0 ? "TARGETING_MATCH" : "DEFAULT";
};

/** Flag metadata has only texts, numbers and booleans. */
const metadataOf = ({ answer }: Checked) => ({
  allowed: answer.allowed,
  reason: answer.reason,
  ...(answer.limit !== null && { limit: answer.limit }),
  ...(answer.used !== null && { used: answer.used }),
  ...(answer.remaining !== null && { remaining: answer.remaining }),
  ...(answer.resetsAt !== null && { resetsAt: answer.resetsAt.toISOString() }),
});

/** Switches are true or false, choices are their option, and of everything that is counted it is what remains. */
const flagValueOf = ({ feature: { kind }, answer }: Checked) => {
  if (kind === "switch") return answer.allowed;
  if (kind === "choice") return typeof answer.value === "string" ? answer.value : undefined;
  if (!answer.allowed) return 0;
  return answer.limit === null ? quantityMax : (answer.remaining ?? answer.limit);
};

export type Flag = {
  key: string;
  reason: string;
  variant: string;
  value?: boolean | number | string;
  metadata: ReturnType<typeof metadataOf>;
};

const flagOf = (checked: Checked, key: string, value: Flag["value"]): Flag => ({
  key,
  reason: reasonOf(checked),
  variant: String(value ?? "none"),
  // Without a value, the SDK uses the default value of the code that asks.
  ...(value !== undefined && { value }),
  metadata: metadataOf(checked),
});

/** The flags of a feature: its value, and for all but switches whether it is allowed. */
export const flagsOf = (checked: Checked): Flag[] => {
  const { code, kind } = checked.feature;
  const own = flagOf(checked, code, flagValueOf(checked));
  if (kind === "switch") return [own];
  return [own, flagOf(checked, `${code}${allowedSuffix}`, checked.answer.allowed)];
};
