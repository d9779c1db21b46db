import { roles } from "@purser/contract/auth/permissions";
import {
  changeStaffMember,
  getRoles,
  getStaffMember,
  inviteStaffMember,
  inviteStaffMemberAgain,
  listStaff,
  removeStaffMember,
  restoreStaffMember,
  staffMember,
  suspendStaffMember,
} from "@purser/contract/users/team";
import type { FastifyInstance } from "fastify";
import type { sendLinkJob } from "#platform/auth/passwords/passwordLinks.ts";
import type { Db } from "#platform/db/db.ts";
import { existing, Problem, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { inviteApproval, roleApproval } from "./ownerApproval.ts";
import {
  countRoles,
  findStaff,
  findStaffMember,
  insertStaffMember,
  lockStaffMember,
  statusBeforeSuspension,
  updateStaffMember,
} from "./queries.ts";
import {
  refusalToChangeRole,
  refusalToGrant,
  refusalToRemove,
  refusalToRestore,
  refusalToSuspend,
} from "./rules.ts";

const who = "member of staff";

const readMember = async (db: Db, id: string) => existing(await findStaffMember(db, id), who);

export const staffRoutes = (app: FastifyInstance, sendLink: ReturnType<typeof sendLinkJob>) => {
  serve(app, listStaff, ({ db, query, paging }) => findStaff(db, query, paging));

  serve(app, getStaffMember, ({ db, params: { id } }) => readMember(db, id));

  serve(app, inviteStaffMember, async ({ db, body, session, enqueue, requireApproval }) => {
    const { reason: _, ...invited } = body;
    refuse(refusalToGrant(session.role, invited.role));
    if (invited.role === "owner") await requireApproval("owner", inviteApproval(invited));
    const id = await insertStaffMember(db, invited);
    await enqueue(sendLink, { email: invited.email, purpose: "invitation" });
    return readMember(db, id);
  });

  serve(app, inviteStaffMemberAgain, async ({ db, params: { id }, enqueue }) => {
    const { email, status } = await readMember(db, id);
    if (status !== "invited")
      throw new Problem("wrong_state", "Only somebody who has not come yet can be invited again.");
    await enqueue(sendLink, { email, purpose: "invitation" });
  });

  serve(app, changeStaffMember, async (call) => {
    const { db, params, body, assertVersion, session, requireApproval } = call;
    const { id } = params;
    const stored = assertVersion(existing(await lockStaffMember(db, id), who), staffMember);
    refuse(refusalToChangeRole(stored, body.role, session.userId));
    refuse(refusalToGrant(session.role, body.role));
    if ((stored.role === "owner") !== (body.role === "owner"))
      await requireApproval("owner", roleApproval(stored, body.role));
    await updateStaffMember(db, id, { name: body.name, role: body.role });
    return readMember(db, id);
  });

  serve(app, suspendStaffMember, async ({ db, params: { id }, assertVersion, session }) => {
    refuse(
      refusalToSuspend(
        assertVersion(existing(await lockStaffMember(db, id), who), staffMember),
        session.userId,
      ),
    );
    await updateStaffMember(db, id, { status: "suspended" });
    return readMember(db, id);
  });

  serve(app, restoreStaffMember, async ({ db, params: { id }, assertVersion }) => {
    refuse(
      refusalToRestore(assertVersion(existing(await lockStaffMember(db, id), who), staffMember)),
    );
    await updateStaffMember(db, id, { status: await statusBeforeSuspension(db, id) });
    return readMember(db, id);
  });

  serve(app, removeStaffMember, async (call) => {
    const { db, params, assertVersion, session, requireApproval } = call;
    const { id } = params;
    const stored = assertVersion(existing(await lockStaffMember(db, id), who), staffMember);
    refuse(refusalToRemove(stored, session.userId));
    if (stored.role === "owner") await requireApproval("owner", roleApproval(stored, null));
    // An invited user who never signed in becomes an active customer, like one from a purchase.
    const status = stored.status === "invited" ? "active" : stored.status;
    await updateStaffMember(db, id, { role: null, status });
  });

  serve(app, getRoles, async ({ db }) => {
    const counted = await countRoles(db);
    return {
      items: roles.map(
        (role) => counted.find((one) => one.role === role) ?? { role, people: 0, suspended: 0 },
      ),
    };
  });
};
