import {
  changeServiceAccount,
  createServiceAccount,
  createServiceKey,
  listServiceAccounts,
  restoreServiceAccount,
  revokeServiceKey,
  rotateServiceKey,
  type ServiceAccountDetails,
  serviceAccount,
  suspendServiceAccount,
} from "@purser/contract/users/serviceAccounts";
import type { FastifyInstance } from "fastify";
import { newServiceSecret } from "#platform/auth/serviceKeys.ts";
import type { Session } from "#platform/auth/sessions/sessions.ts";
import type { Db } from "#platform/db/db.ts";
import { existing, invalidAt, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { refusalToGrant } from "../team/rules.ts";
import {
  countServiceAccounts,
  countValidKeys,
  endServiceKey,
  findServiceAccount,
  findServiceAccounts,
  insertServiceAccount,
  insertServiceKey,
  lockServiceAccount,
  lockServiceKey,
  replaceServiceAccount,
  setServiceAccountStatus,
} from "./queries.ts";
import {
  foreignPermission,
  refusalToAdd,
  refusalToAddKey,
  refusalToEndKey,
  refusalToRestore,
  refusalToSuspend,
} from "./rules.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const read = async (db: Db, id: string, now: Date) =>
  existing(await findServiceAccount(db, id, now), "serviceAccount");

const lock = async (db: Db, id: string, now: Date) =>
  existing(await lockServiceAccount(db, id, now), "serviceAccount");

const assertMayGive = (session: Session, given: ServiceAccountDetails) => {
  const place = foreignPermission(given);
  if (place >= 0)
    throw invalidAt(
      `/permissions/${place}`,
      message(
        "permission_not_of_role",
        "This role doesn't have this permission. Choose another role or permission.",
      ),
    );
  refuse(refusalToGrant(session.role, given));
};

type Adding = { name: string; days: number; now: Date; isTest: boolean };

const addKey = async (db: Db, accountId: string, { name, days, now, isTest }: Adding) => {
  const { secret, ...hidden } = newServiceSecret(isTest);
  const expiresAt = new Date(now.getTime() + days * dayMs);
  const key = await insertServiceKey(db, { accountId, name, expiresAt, createdAt: now, ...hidden });
  return { ...key, secret };
};

const accountRoutes = (app: FastifyInstance) => {
  serve(app, listServiceAccounts, async ({ db, now }) => ({
    items: await findServiceAccounts(db, now),
  }));

  serve(app, createServiceAccount, async ({ db, body, session, now }) => {
    const { reason: _, ...details } = body;
    assertMayGive(session, details);
    refuse(refusalToAdd(await countServiceAccounts(db)));
    return read(db, await insertServiceAccount(db, details), now);
  });

  serve(app, changeServiceAccount, async ({ db, params, body, session, now, assertVersion }) => {
    const { reason: _, ...details } = body;
    assertVersion(await lock(db, params.id, now), serviceAccount);
    assertMayGive(session, details);
    await replaceServiceAccount(db, params.id, details);
    return read(db, params.id, now);
  });

  serve(app, suspendServiceAccount, async ({ db, params: { id }, now, assertVersion }) => {
    refuse(refusalToSuspend(assertVersion(await lock(db, id, now), serviceAccount)));
    await setServiceAccountStatus(db, id, "suspended");
    return read(db, id, now);
  });

  serve(app, restoreServiceAccount, async ({ db, params: { id }, session, now, assertVersion }) => {
    const stored = assertVersion(await lock(db, id, now), serviceAccount);
    refuse(refusalToRestore(stored) ?? refusalToGrant(session.role, stored));
    await setServiceAccountStatus(db, id, "active");
    return read(db, id, now);
  });
};

/** Accounts and keys for the company's own backends. */
export const serviceAccountRoutes = (app: FastifyInstance) => {
  accountRoutes(app);

  serve(app, createServiceKey, async ({ db, params: { id }, body, session, now }) => {
    const stored = await lock(db, id, now);
    refuse(refusalToGrant(session.role, stored));
    refuse(refusalToAddKey(stored, await countValidKeys(db, id, now)));
    return addKey(db, id, { ...body, now, isTest: app.platform.testMode !== null });
  });

  serve(app, rotateServiceKey, async ({ db, params: { id, keyId }, body, session, now }) => {
    const stored = await lock(db, id, now);
    const { name, ...key } = existing(await lockServiceKey(db, id, keyId), "serviceKey");
    refuse(refusalToEndKey(key, now) ?? refusalToGrant(session.role, stored));
    const ends = new Date(now.getTime() + body.overlapHours * hourMs);
    // Rotating never gives the replaced key more time.
    if (ends < key.expiresAt) await endServiceKey(db, keyId, { expiresAt: ends });
    refuse(refusalToAddKey(stored, await countValidKeys(db, id, now)));
    return addKey(db, id, {
      name,
      days: body.days,
      now,
      isTest: app.platform.testMode !== null,
    });
  });

  serve(app, revokeServiceKey, async ({ db, params: { id, keyId }, now }) => {
    await lock(db, id, now);
    refuse(refusalToEndKey(existing(await lockServiceKey(db, id, keyId), "serviceKey"), now));
    return endServiceKey(db, keyId, { revokedAt: now });
  });
};
