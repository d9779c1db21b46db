import { changePassword, forgotPassword, getLink, setPassword } from "@purser/contract/session";
import type { FastifyInstance } from "fastify";
import type { Db } from "../db/db.ts";
import { Problem } from "../http/problem.ts";
import { serveInSteps } from "../http/serve.ts";
import { confirmPassword } from "./credentials.ts";
import { findLink, type sendLinkJob, takeLink } from "./links.ts";
import { hashPassword, refuseWeakPassword } from "./passwords.ts";
import { endSessionsOf, forgetDevices, holdPerson } from "./sessions.ts";
import { countTry, limits } from "./tries.ts";

const unusable = () =>
  new Problem("link_unusable", "The link was used, replaced or is too old. Ask for a new one.");

const storePassword = async (db: Db, userId: string, hash: string, now: Date) => {
  await holdPerson(db, userId);
  await db.deleteFrom("links").where("userId", "=", userId).execute();
  await db
    .insertInto("passwords")
    .values({ id: userId, hash, changedAt: now })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ hash, changedAt: now }))
    .execute();
};

export const passwordRoutes = (app: FastifyInstance, sendLink: ReturnType<typeof sendLinkJob>) => {
  // An unknown address makes the same job as a known one, so the answer takes as long.
  serveInSteps(app, forgotPassword, async ({ db, body: { email }, now, enqueue }) => {
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
    refuseWeakPassword(password, [link.email, link.name]);
    // Hashed before the transaction: a connection is not held while the processor works.
    const hash = await hashPassword(password);
    const { id, name } = link;
    await change(
      async (inside) => {
        const userId = await takeLink(inside, token, now);
        if (!userId) throw unusable();
        await storePassword(inside, userId, hash, now);
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
    await confirmPassword(db, request, session, body.current);
    refuseWeakPassword(body.password, [session.email, session.name]);
    const hash = await hashPassword(body.password);
    await change(async (inside) => {
      await storePassword(inside, session.userId, hash, now);
      await endSessionsOf(inside, session.userId, session.tokenHash);
    });
  });
};
