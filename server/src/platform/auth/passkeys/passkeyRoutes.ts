import {
  addPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
  startPasskey,
} from "@purser/contract/auth/passkeys";
import type { FastifyInstance } from "fastify";
import { existing, notFound } from "#platform/http/problem.ts";
import { serve, serveInSteps } from "#platform/http/serve.ts";
import { lockUser } from "../sessions/sessions.ts";
import { assertNotLastFactor } from "../twoFactor/requirement.ts";
import {
  deletePasskey,
  findPasskeysOf,
  insertPasskey,
  updatePasskeyName,
} from "./passkeyQueries.ts";
import { finishRegistration, startRegistration } from "./passkeys.ts";

export const passkeyRoutes = (app: FastifyInstance) => {
  const { PUBLIC_URL: origin } = app.platform.config;

  serve(app, listPasskeys, async ({ db, session }) => ({
    items: await findPasskeysOf(db, session.userId),
  }));

  serveInSteps(app, startPasskey, ({ db, session: { userId, email }, now }) =>
    startRegistration(db, { origin, userId, email, now }),
  );

  serveInSteps(app, addPasskey, async ({ db, body, session: { userId }, now, change }) => {
    const { name } = body;
    const passkey = await finishRegistration(db, { origin, ...body, now }, { userId, name });
    return change((inside) => insertPasskey(inside, passkey));
  });

  serve(app, renamePasskey, async ({ db, params: { id }, body: { name }, session: { userId } }) =>
    existing(await updatePasskeyName(db, { id, userId }, name), "passkey"),
  );

  serve(app, removePasskey, async ({ db, params: { id }, session: { userId } }) => {
    // Locked, so that two removals at the same time leave one factor.
    await lockUser(db, userId);
    await assertNotLastFactor(db, userId);
    if (!(await deletePasskey(db, { id, userId }))) throw notFound("passkey");
  });
};
