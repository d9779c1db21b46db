import { type Access, permissionsOf, roles } from "@purser/contract/auth/permissions";
import { formatMoney, type Money } from "@purser/contract/fields/money";
import type { ApprovalRule } from "@purser/contract/workspace/settings";
import { type Db, first } from "../db/db.ts";
import { statement } from "../db/statement.ts";
import { findSettings } from "../settings.ts";
import { Problem } from "./problem.ts";

/** What a second person has to know, and what it rests on: if that changes, the question is another one. */
export type ApprovalSubject = {
  entity: string;
  recordId: string | null;
  summary: string;
  facts: { label: string; value: string }[];
  basis: Record<string, unknown>;
  /** Counts against the limit of its currency; without it the rule always holds. */
  money?: Money;
};

export type ApprovalGate = (rule: ApprovalRule, about: ApprovalSubject) => Promise<void>;

const sentences = {
  refund: "A refund of this size needs a second person.",
  price: "New prices of a package on sale need a second person.",
  erase: "Erasing somebody needs a second person.",
  owner: "Who is an owner needs a second person.",
} as const satisfies Record<ApprovalRule, string>;

/** Who wants to do it, and what one needs to do it. */
export type Alone = { userId: string | null; permission: Access };

const hasSecondSql = statement(
  "http.hasSecond",
  `select exists (
   select from users where role = any ($1) and status in ('active', 'suspended') and id <> $2) as found`,
).narrow<{ found: boolean }>();

/**
 * Whoever is suspended counts, so that nobody comes to be alone by suspending the others. If nobody who counts can
 * come, an owner ends the rule in the settings: nobody is locked out of the office.
 */
const hasSecond = async (db: Db, { userId, permission }: Alone) => {
  const able = roles.filter((role) => permissionsOf(role).some((one) => one === permission));
  const row = await first(db, hasSecondSql, [able, userId]);
  return row?.found ?? false;
};

/** Whether the company's rules want two people for it, in words, or null. */
export const approvalReason = async (
  db: Db,
  alone: Alone,
  rule: ApprovalRule,
  { money }: ApprovalSubject,
) => {
  const { approvalRules, refundLimits } = await findSettings(db);
  if (!approvalRules.includes(rule) || !(await hasSecond(db, alone))) return null;
  if (!money) return sentences[rule];
  const limit = refundLimits[money.currency];
  if (limit === undefined || money.amount <= limit) return null;
  return `Refunds above ${formatMoney(limit, money.currency)} of one sale need a second person.`;
};

/** Refuses what one person alone may not do. */
export const createApprovalGate =
  (db: Db, alone: Alone): ApprovalGate =>
  async (rule, about) => {
    const why = await approvalReason(db, alone, rule, about);
    if (why) throw new Problem("approval_needed", `${why} Ask somebody to approve it.`);
  };
