import {
  changeStaffMember,
  getStaffMember,
  inviteStaffMember,
  inviteStaffMemberAgain,
  listStaff,
  restoreStaffMember,
  staffMember,
  suspendStaffMember,
} from "@purser/contract/staff";
import type { FastifyInstance } from "fastify";
import type { sendLinkJob } from "#platform/auth/links.ts";
import type { Db } from "#platform/db/db.ts";
import { existing, Problem, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import {
  findStaff,
  findStaffMember,
  insertStaffMember,
  lockStaffMember,
  statusBeforeSuspension,
  updateStaffMember,
} from "./queries.ts";
import { refusalToChangeRole, refusalToRestore, refusalToSuspend } from "./rules.ts";

const who = "member of staff";

const readMember = async (db: Db, id: string) => existing(await findStaffMember(db, id), who);

export const staffRoutes = (app: FastifyInstance, sendLink: ReturnType<typeof sendLinkJob>) => {
  serve(app, listStaff, ({ db, query, paging }) => findStaff(db, query, paging));

  serve(app, getStaffMember, ({ db, params: { id } }) => readMember(db, id));

  serve(app, inviteStaffMember, async ({ db, body: { reason: _, ...invited }, enqueue }) => {
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

  serve(app, changeStaffMember, async ({ db, params: { id }, body, assertVersion, session }) => {
    const stored = assertVersion(existing(await lockStaffMember(db, id), who), staffMember);
    refuse(refusalToChangeRole(stored, body.role, session.userId));
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
};
