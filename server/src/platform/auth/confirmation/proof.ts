import { proofMinutes } from "@purser/contract/auth/confirmation";
import type { Endpoint } from "@purser/contract/http/endpoint";
import type { FastifyRequest } from "fastify";
import type { Db } from "#platform/db/db.ts";
import type { ApprovalGate, ApprovalSubject } from "#platform/http/approvalGate.ts";
import { Problem } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";
import { findSettings } from "#platform/settings.ts";
import { teamMemberRequired } from "../admitService.ts";
import type { Session } from "../sessions/sessions.ts";

const isRecent = ({ provenAt }: Session, now: Date) =>
  provenAt !== null && now.getTime() - provenAt.getTime() <= proofMinutes * 60_000;

/** Refuses a session whose user didn't confirm their identity recently, because it may be stolen. */
export const assertRecentProof = ({ session, now }: Pick<FastifyRequest, "session" | "now">) => {
  if (session?.key) throw teamMemberRequired();
  if (session && isRecent(session, now)) return;
  throw new Problem(
    "proof_required",
    message("proof_required", "Confirm your identity, then try again within {minutes} minutes.", {
      minutes: proofMinutes,
    }),
  );
};

/** Without a limit for the currency every amount is above it. */
const isAboveLimit = async (db: Db, { money }: ApprovalSubject) => {
  if (!money) return true;
  const { refundLimits } = await findSettings(db);
  return money.amount > (refundLimits[money.currency] ?? 0);
};

/** The approval gate of an endpoint that requires a recent proof above the limit. */
export const withProofAboveLimit = (
  gate: ApprovalGate,
  { proof }: Pick<Endpoint, "proof">,
  { db, request }: { db: Db; request: FastifyRequest },
): ApprovalGate => {
  if (proof !== "recent above limit") return gate;
  return async (rule, subject) => {
    await gate(rule, subject);
    if (await isAboveLimit(db, subject)) assertRecentProof(request);
  };
};
