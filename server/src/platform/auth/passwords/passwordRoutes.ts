import {
  changePassword,
  forgotPassword,
  getLink,
  setPassword,
} from "@purser/contract/auth/passwords";
import type { FastifyInstance } from "fastify";
import type { Db } from "#platform/db/db.ts";
import { Problem } from "#platform/http/problem.ts";
import { serveInSteps } from "#platform/http/serve.ts";
import { findSettings } from "#platform/settings.ts";
import { countTry, limits } from "../attempts.ts";
import { endSessionsOf, forgetDevices, holdPerson } from "../sessions/sessions.ts";
import { findProof } from "../twoFactor/requirement.ts";
import { confirmPerson, passwordsOff } from "./credentials.ts";
import { findLink, type sendLinkJob, takeLink } from "./passwordLinks.ts";
import { hashPassword, refuseWeakPassword } from "./passwords.ts";

const unusable = () =>
  new Problem("link_unusable", "The link was used, replaced or is too old. Ask for a new one.");

type Stored = { userId: string; hash: string; now: Date; byOperator?: boolean };

const storePassword = async (db: Db, { userId, hash, now, byOperator }: Stored) => {
  const stored = { hash, changedAt: now, ...(byOperator !== undefined && { byOperator }) };
  await holdPerson(db, userId);
  await db.deleteFrom("links").where("userId", "=", userId).execute();
  await db
    .insertInto("passwords")
    .values({ id: userId, ...stored })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(stored))
    .execute();
};

const assertPasswords = async (db: Db) => {
  if (!(await findSettings(db)).passwordsAllowed) throw passwordsOff();
};

export const passwordRoutes = (app: FastifyInstance, sendLink: ReturnType<typeof sendLinkJob>) => {
  // An unknown address makes the same job as a known one, so the answer takes as long.
  serveInSteps(app, forgotPassword, async ({ db, body: { email }, now, enqueue }) => {
    await assertPasswords(db);
    await countTry(db, `mail:${email}`, limits.mail, now);
    await enqueue(sendLink, { email, purpose: "reset" });
  });

  serveInSteps(app, getLink, async ({ db, body: { token }, now }) => {
    const link = await findLink(db, token, now);
    if (!link) throw unusable();
    return link;
  });

  serveInSteps(app, setPassword, async ({ db, body: { token, password }, now, change }) => {
    const link = await findLink(db, token, now);
    if (!link) throw unusable();
    // The operator's own link is the way back in when the company's sign-in is down.
    const byOperator = link.purpose === "operator";
    if (!byOperator) await assertPasswords(db);
    refuseWeakPassword(password, [link.email, link.name]);
    // Hashed before the transaction: a connection is not held while the processor works.
    const hash = await hashPassword(password);
    const { id, name } = link;
    await change(
      async (inside) => {
        const userId = await takeLink(inside, token, now);
        if (!userId) throw unusable();
        await storePassword(inside, { userId, hash, now, byOperator });
        await inside
          .updateTable("users")
          .set({ status: "active" })
          .where("id", "=", userId)
          .where("status", "=", "invited")
          .execute();
        await endSessionsOf(inside, userId);
        await forgetDevices(inside, userId);
      },
      { kind: "user", id, name },
    );
  });

  serveInSteps(app, changePassword, async ({ db, body, session, now, request, change }) => {
    if ((await findProof(db, session.userId)) !== "password") throw passwordsOff();
    await confirmPerson(db, request, session, body.current);
    refuseWeakPassword(body.password, [session.email, session.name]);
    const hash = await hashPassword(body.password);
    await change(async (inside) => {
      await storePassword(inside, { userId: session.userId, hash, now });
      await endSessionsOf(inside, session.userId, session.tokenHash);
    });
  });
};
