import {
  changeStaffMember,
  getStaffMember,
  inviteStaffMember,
  listStaff,
  restoreStaffMember,
  staffMember,
  suspendStaffMember,
} from "@purser/contract/staff";
import type { FastifyInstance } from "fastify";
import type { sendLinkJob } from "#platform/auth/links.ts";
import type { Db } from "#platform/db/db.ts";
import { notFound, Problem } from "#platform/http/problem.ts";
import { assertVersion, serve } from "#platform/http/serve.ts";
import {
  findStaff,
  findStaffMember,
  insertStaffMember,
  lockStaffMember,
  statusBeforeSuspension,
  updateStaffMember,
} from "./queries.ts";
import { refusalToChangeRole, refusalToRestore, refusalToSuspend } from "./rules.ts";

const shown = async (db: Db, id: string) => {
  const member = await findStaffMember(db, id);
  if (!member) throw notFound("member of staff");
  return member;
};

const lockVersion = async (db: Db, id: string, version: number) => {
  const member = await lockStaffMember(db, id);
  if (!member) throw notFound("member of staff");
  assertVersion(member, version, staffMember);
  return member;
};

const refuse = (refusal: ReturnType<typeof refusalToSuspend>) => {
  if (refusal) throw new Problem(refusal.code, refusal.detail);
};

export const staffRoutes = (app: FastifyInstance, sendLink: ReturnType<typeof sendLinkJob>) => {
  serve(app, listStaff, ({ db, query, paging }) => findStaff(db, query, paging));

  serve(app, getStaffMember, ({ db, params: { id } }) => shown(db, id));

  serve(app, inviteStaffMember, async ({ db, body: { reason: _, ...invited }, enqueue }) => {
    const id = await insertStaffMember(db, invited);
    await enqueue(sendLink, { email: invited.email, purpose: "invitation" });
    return shown(db, id);
  });

  serve(app, changeStaffMember, async ({ db, params: { id }, body, version, session }) => {
    const stored = await lockVersion(db, id, version);
    refuse(refusalToChangeRole(stored, body.role, session.userId));
    await updateStaffMember(db, id, { name: body.name, role: body.role });
    return shown(db, id);
  });

  serve(app, suspendStaffMember, async ({ db, params: { id }, version, session }) => {
    refuse(refusalToSuspend(await lockVersion(db, id, version), session.userId));
    await updateStaffMember(db, id, { status: "suspended" });
    return shown(db, id);
  });

  serve(app, restoreStaffMember, async ({ db, params: { id }, version }) => {
    refuse(refusalToRestore(await lockVersion(db, id, version)));
    await updateStaffMember(db, id, { status: await statusBeforeSuspension(db, id) });
    return shown(db, id);
  });
};
