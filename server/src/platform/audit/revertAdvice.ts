import type { Message } from "@purser/contract/messages/message";
import type { RevertPreview } from "@purser/contract/workspace/audit";
import { message } from "../messages.ts";
import type { Entry, Stored } from "./activity.ts";

type Refusal = NonNullable<RevertPreview["refusal"]>;

/** What to do instead of reverting an entry, with the label and path of the record to open. */
type Advice = {
  detail: Message;
  label?: Message;
  pathOf?: (recordId: string, row: Stored) => string | null;
};

/** By table. Each module has the advice for its own tables. */
export type RevertAdvice = Record<string, Advice>;

const kept = {
  detail: message(
    "revert_record_kept",
    "This entry is a record of what happened and can't be reverted.",
  ),
};
const secret = {
  detail: message(
    "revert_credentials",
    "Changes to sign-in credentials can't be reverted. The team member can set new ones.",
  ),
};

export const platformRevertAdvice: RevertAdvice = {
  passwords: secret,
  authenticators: secret,
  passkeys: secret,
  exports: kept,
  audit_redactions: kept,
  audit_removals: kept,
  audit_retention: kept,
};

const other: Advice = {
  detail: message(
    "revert_unsupported",
    "This change can't be reverted here. Edit the record instead.",
  ),
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
