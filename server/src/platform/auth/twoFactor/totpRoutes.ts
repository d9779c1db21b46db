import {
  addPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
  startPasskey,
} from "@purser/contract/auth/passkeys";
import { confirmTotp, removeTotp, startTotp } from "@purser/contract/auth/twoFactor";
import type { FastifyInstance } from "fastify";
import type { Db } from "#platform/db/db.ts";
import { existing, notFound, Problem } from "#platform/http/problem.ts";
import { serve, serveInSteps } from "#platform/http/serve.ts";
import { countTry, forgive, limits } from "../attempts.ts";
import { finishAdding, startAdding } from "../passkeys/passkeys.ts";
import { confirmPerson } from "../passwords/credentials.ts";
import { holdPerson } from "../sessions/sessions.ts";
import { assertNotLastFactor } from "./requirement.ts";
import { beginAuthenticator, replaceRecoveryCodes, useTotpCode } from "./totp.ts";

const passkeyColumns = ["id", "name", "createdAt", "lastUsedAt"] as const;

const findAuthenticator = (db: Db, userId: string) =>
  db.selectFrom("authenticators").select("confirmedAt").where("id", "=", userId).executeTakeFirst();

/** Setting up and taking away the authenticator. */
export const authenticatorRoutes = (app: FastifyInstance) => {
  const { SECRET_KEY: secretKey } = app.platform.config;

  serveInSteps(app, startTotp, async ({ db, body: { password }, session, request, change }) => {
    await confirmPerson(db, request, session, password);
    const { userId, email } = session;
    const begun = await change((inside) =>
      beginAuthenticator(inside, { userId, email, secretKey }),
    );
    if (!begun)
      throw new Problem("wrong_state", "An authenticator is already on. Remove it first.");
    return begun;
  });

  serveInSteps(
    app,
    confirmTotp,
    async ({ db, body: { code }, session: { userId }, now, change }) => {
      const authenticator = await findAuthenticator(db, userId);
      if (!authenticator || authenticator.confirmedAt)
        throw new Problem(
          "wrong_state",
          "No authenticator is waiting for its first code. Start again.",
        );
      await countTry(db, `code:${userId}`, limits.code, now);
      if (!(await useTotpCode(db, { userId, code, secretKey, now })))
        throw new Problem(
          "wrong_code",
          "The code is wrong. Check the clock of your phone and try the next one.",
        );
      await forgive(db, `code:${userId}`);
      return change(async (inside) => {
        await inside
          .updateTable("authenticators")
          .set({ confirmedAt: now })
          .where("id", "=", userId)
          .execute();
        return { recoveryCodes: await replaceRecoveryCodes(inside, userId) };
      });
    },
  );

  serveInSteps(app, removeTotp, async ({ db, body: { password }, session, request, change }) => {
    await confirmPerson(db, request, session, password);
    await change(async (inside) => {
      await holdPerson(inside, session.userId);
      await assertNotLastFactor(inside, session.userId);
      const removed = await inside
        .deleteFrom("authenticators")
        .where("id", "=", session.userId)
        .returning("id")
        .executeTakeFirst();
      if (!removed) throw new Problem("wrong_state", "There is no authenticator to remove.");
      await inside.deleteFrom("recoveryCodes").where("userId", "=", session.userId).execute();
    });
  });
};

export const passkeyRoutes = (app: FastifyInstance) => {
  const { PUBLIC_URL: origin } = app.platform.config;

  serve(app, listPasskeys, async ({ db, session }) => ({
    items: await db
      .selectFrom("passkeys")
      .select(passkeyColumns)
      .where("userId", "=", session.userId)
      .orderBy("id")
      .execute(),
  }));

  serveInSteps(app, startPasskey, async ({ db, body: { password }, session, now, request }) => {
    await confirmPerson(db, request, session, password);
    const { userId, email } = session;
    return startAdding(db, { origin, userId, email, now });
  });

  serveInSteps(app, addPasskey, async ({ db, body, session: { userId }, now, change }) => {
    const passkey = await finishAdding(db, { origin, ...body, now }, { userId, name: body.name });
    return change((inside) =>
      inside
        .insertInto("passkeys")
        .values(passkey)
        .returning(passkeyColumns)
        .executeTakeFirstOrThrow(),
    );
  });

  serve(app, renamePasskey, async ({ db, params: { id }, body: { name }, session }) => {
    const renamed = await db
      .updateTable("passkeys")
      .set({ name })
      .where("id", "=", id)
      .where("userId", "=", session.userId)
      .returning(passkeyColumns)
      .executeTakeFirst();
    return existing(renamed, "passkey of yours");
  });

  serve(app, removePasskey, async ({ db, params: { id }, session }) => {
    // Held, so that of two factors that are removed at the same moment one stays.
    await holdPerson(db, session.userId);
    await assertNotLastFactor(db, session.userId);
    const removed = await db
      .deleteFrom("passkeys")
      .where("id", "=", id)
      .where("userId", "=", session.userId)
      .returning("id")
      .executeTakeFirst();
    if (!removed) throw notFound("passkey of yours");
  });
};
