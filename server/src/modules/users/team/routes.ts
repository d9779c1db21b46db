import { roles } from "@purser/contract/auth/permissions";
import {
  changeTeamMember,
  getRoles,
  getTeamMember,
  inviteTeamMember,
  listTeam,
  removeTeamMember,
  resendTeamMemberInvitation,
  resetTeamMemberTwoFactor,
  restoreTeamMember,
  suspendTeamMember,
  type TeamMember,
  teamMember,
} from "@purser/contract/users/team";
import type { FastifyInstance } from "fastify";
import type { sendLinkJob } from "#platform/auth/passwords/passwordLinks.ts";
import { resetTwoFactor } from "#platform/auth/twoFactor/reset.ts";
import type { Db } from "#platform/db/db.ts";
import { existing, Problem, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import type { TellTwoFactorReset } from "./jobs.ts";
import {
  inviteApproval,
  roleApproval,
  statusApproval,
  twoFactorResetApproval,
} from "./ownerApproval.ts";
import {
  countRoles,
  findTeam,
  findTeamMember,
  insertTeamMember,
  lockTeamMember,
  statusBeforeSuspension,
  updateTeamMember,
} from "./queries.ts";
import {
  refusalToChangeRole,
  refusalToGrant,
  refusalToRemove,
  refusalToResetTwoFactor,
  refusalToRestore,
  refusalToSuspend,
} from "./rules.ts";

const readMember = async (db: Db, id: string) =>
  existing(await findTeamMember(db, id), "teamMember");

/** An owner who has accepted the invitation can stop changes, so one owner alone can't take that away. */
const losesPower = ({ role, status }: TeamMember) => role === "owner" && status !== "invited";

export const twoFactorResetRoutes = (app: FastifyInstance, tell: TellTwoFactorReset) =>
  serve(app, resetTeamMemberTwoFactor, async (call) => {
    const { db, params, session, enqueue, requireApproval } = call;
    const { id } = params;
    const stored = existing(await lockTeamMember(db, id), "teamMember");
    refuse(refusalToResetTwoFactor(stored, session.userId));
    refuse(refusalToGrant(session.role, stored.role));
    if (losesPower(stored)) await requireApproval("safeguard", twoFactorResetApproval(stored));
    await resetTwoFactor(db, id);
    await enqueue(tell, { id, by: session.name });
    return readMember(db, id);
  });

export const teamRoutes = (app: FastifyInstance, sendLink: ReturnType<typeof sendLinkJob>) => {
  serve(app, listTeam, ({ db, query, paging }) => findTeam(db, query, paging));

  serve(app, getTeamMember, ({ db, params: { id } }) => readMember(db, id));

  serve(app, inviteTeamMember, async ({ db, body, session, enqueue, requireApproval }) => {
    const { reason: _, ...invited } = body;
    refuse(refusalToGrant(session.role, invited.role));
    if (invited.role === "owner") await requireApproval("owner", inviteApproval(invited));
    const id = await insertTeamMember(db, invited);
    await enqueue(sendLink, { email: invited.email, purpose: "invitation", by: session.name });
    return readMember(db, id);
  });

  serve(app, resendTeamMemberInvitation, async ({ db, params: { id }, session, enqueue }) => {
    const { email, status } = await readMember(db, id);
    if (status !== "invited")
      throw new Problem(
        "wrong_state",
        message("invitation_not_pending", "Only pending invitations can be sent again."),
      );
    await enqueue(sendLink, { email, purpose: "invitation", by: session.name });
  });

  serve(app, changeTeamMember, async (call) => {
    const { db, params, body, assertVersion, session, requireApproval } = call;
    const { id } = params;
    const stored = assertVersion(existing(await lockTeamMember(db, id), "teamMember"), teamMember);
    refuse(refusalToChangeRole(stored, body.role, session.userId));
    refuse(refusalToGrant(session.role, body.role));
    if (stored.role !== "owner" && body.role === "owner")
      await requireApproval("owner", roleApproval(stored, body.role));
    if (losesPower(stored) && body.role !== "owner")
      await requireApproval("safeguard", roleApproval(stored, body.role));
    await updateTeamMember(db, id, { name: body.name, role: body.role });
    return readMember(db, id);
  });

  serve(app, suspendTeamMember, async (call) => {
    const { db, params, assertVersion, session, requireApproval } = call;
    const { id } = params;
    const stored = assertVersion(existing(await lockTeamMember(db, id), "teamMember"), teamMember);
    refuse(refusalToSuspend(stored, session.userId));
    if (losesPower(stored)) await requireApproval("safeguard", statusApproval(stored, "suspended"));
    await updateTeamMember(db, id, { status: "suspended" });
    return readMember(db, id);
  });

  serve(app, restoreTeamMember, async (call) => {
    const { db, params, assertVersion, requireApproval } = call;
    const { id } = params;
    const stored = assertVersion(existing(await lockTeamMember(db, id), "teamMember"), teamMember);
    refuse(refusalToRestore(stored));
    if (stored.role === "owner") await requireApproval("owner", statusApproval(stored, "active"));
    await updateTeamMember(db, id, { status: await statusBeforeSuspension(db, id) });
    return readMember(db, id);
  });

  serve(app, removeTeamMember, async (call) => {
    const { db, params, assertVersion, session, requireApproval } = call;
    const { id } = params;
    const stored = assertVersion(existing(await lockTeamMember(db, id), "teamMember"), teamMember);
    refuse(refusalToRemove(stored, session.userId));
    if (losesPower(stored)) await requireApproval("safeguard", roleApproval(stored, null));
    // An invited user who never signed in becomes an active customer, like one from a purchase.
    const status = stored.status === "invited" ? "active" : stored.status;
    await updateTeamMember(db, id, { role: null, status });
  });

  serve(app, getRoles, async ({ db }) => {
    const counted = await countRoles(db);
    return {
      items: roles.map(
        (role) => counted.find((one) => one.role === role) ?? { role, members: 0, suspended: 0 },
      ),
    };
  });
};
