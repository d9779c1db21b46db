import type { RevertPreview } from "@purser/contract/workspace/audit";
import type { Entry, Stored } from "./activity.ts";

type Refusal = NonNullable<RevertPreview["refusal"]>;

/** What to do instead of reverting an entry, with the label and path of the record to open. */
type Advice = {
  detail: string;
  label?: string;
  pathOf?: (recordId: string, row: Stored) => string | null;
};

/** By table. Each module has the advice for its own tables. */
export type RevertAdvice = Record<string, Advice>;

const kept = { detail: "It tells what happened, and stays." };
const secret = { detail: "What somebody signs in with is never set back. They choose another." };

export const platformRevertAdvice: RevertAdvice = {
  passwords: secret,
  authenticators: secret,
  passkeys: secret,
  exports: kept,
  audit_redactions: kept,
};

const other: Advice = {
  detail: "This cannot be set back from the log. Change it where it is kept.",
};

/** The advice for one entry. */
export const adviceOn = (
  advice: RevertAdvice,
  { entity, recordId }: Entry,
  row: Stored,
): Pick<Refusal, "detail" | "place"> => {
  const { detail, label, pathOf } = advice[entity] ?? other;
  const path = pathOf?.(recordId, row) ?? null;
  return { detail, place: label && path ? { label, path } : null };
};
