import { user } from "@purser/contract/users/fields";
import {
  eraseCustomer,
  getPersonalExport,
  listPersonalExports,
  previewErasure,
  requestPersonalExport,
} from "@purser/contract/users/privacy";
import type { FastifyInstance } from "fastify";
import type { Session } from "#platform/auth/sessions/sessions.ts";
import type { Db } from "#platform/db/db.ts";
import { existing, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { serveDocument } from "#platform/lists/export.ts";
import { endSubscription } from "../transactions/sales/endSubscription.ts";
import { findUser, lockUser } from "../users/customers/queries.ts";
import { eraseApproval } from "./eraseApproval.ts";
import type { PersonalExportJob } from "./jobs.ts";
import {
  countConsequences,
  erase,
  findExports,
  findFile,
  findRecordsOf,
  findRunning,
  insertExport,
} from "./queries.ts";
import { refusalToErase, refusalToExport } from "./rules.ts";

const readUser = async (db: Db, caller: Session, id: string) =>
  existing(await findUser(db, caller, id), "user");

export const privacyRoutes = (app: FastifyInstance, writeExport: PersonalExportJob) => {
  serve(app, listPersonalExports, async ({ db, params: { id }, now, session }) => {
    await readUser(db, session, id);
    return { items: await findExports(db, id, now) };
  });

  serve(app, requestPersonalExport, async ({ db, params: { id }, now, session, enqueue }) => {
    refuse(refusalToExport(existing(await lockUser(db, session, id), "user")));
    const made = await insertExport(db, { userId: id, by: session.userId, now });
    await enqueue(writeExport, { id: made.id });
    return made;
  });

  serveDocument(
    app,
    getPersonalExport,
    "personal-data",
    async ({ db, params: { id, exportId }, now, session }) => {
      await readUser(db, session, id);
      return existing(await findFile(db, { id: exportId, userId: id, now }), "exportFile").file;
    },
  );

  serve(app, previewErasure, async ({ db, params: { id }, now, session }) => {
    const refusal = refusalToErase(await readUser(db, session, id));
    const { ids } = await findRecordsOf(db, id);
    return { refusal: refusal?.detail ?? null, ...(await countConsequences(db, ids, now)) };
  });

  serve(app, eraseCustomer, async (call) => {
    const { db, params, now, session, assertVersion, requireApproval } = call;
    const { id } = params;
    const known = assertVersion(existing(await lockUser(db, session, id), "user"), user);
    refuse(refusalToErase(known), [known.name]);
    const records = await findRecordsOf(db, id);
    const counted = await countConsequences(db, records.ids, now);
    await requireApproval("erase", eraseApproval(known, counted));
    for (const running of await findRunning(db, records.ids))
      await endSubscription(db, running, { at: now, revokedAt: now });
    await erase(db, records);
    return readUser(db, session, id);
  });
};
