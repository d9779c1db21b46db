import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { hashToken, newToken } from "../platform/auth/secrets.ts";
import { startSession } from "../platform/auth/sessions/sessions.ts";
import type { Db } from "../platform/db/db.ts";
import { isLoopbackUrl } from "../platform/http/loopback.ts";
import { workspaceUrl } from "../platform/http/publicUrls.ts";

export const demoLinkMinutes = 10;

const query = z.object({ token: z.string() });

const tokenOf = (request: FastifyRequest) => query.safeParse(request.query).data?.token ?? "";

const isFromHere = ({ headers: { host } }: FastifyRequest) => isLoopbackUrl(`http://${host}`);

type Signer = {
  userId: string;
  /** Whether the workspace still has only demo data. Checked again when the link is opened. */
  isDemo: (db: Db) => Promise<boolean>;
  path?: string;
};

/**
 * Adds a link that signs in once. It exists only in the memory of the process that prints it, and only `purser demo`
 * adds it, so that no other server has such a route.
 */
export const addDemoLink = (
  app: FastifyInstance,
  { userId, isDemo, path = "/demo-sign-in" }: Signer,
) => {
  const { config, db, now } = app.platform;
  const token = newToken();
  const tokenHash = hashToken(token);
  const endsAt = now().getTime() + demoLinkMinutes * 60_000;
  let isUsed = false;

  const isUsable = (request: FastifyRequest) =>
    !isUsed &&
    request.now.getTime() < endsAt &&
    isFromHere(request) &&
    timingSafeEqual(hashToken(tokenOf(request)), tokenHash);

  const signIn = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!isUsable(request)) return null;
    // Before anything is awaited, so that two requests at once don't both sign in.
    isUsed = true;
    const exchange = { request, reply, now: request.now };
    // It replaces both factors, because the demo owner has none.
    return startSession(db, userId, exchange, {
      how: "demo link",
      twoFactor: true,
      stillProven: isDemo,
    });
  };

  const enter = async (request: FastifyRequest, reply: FastifyReply) => {
    if (await signIn(request, reply)) return reply.redirect(`${config.BASE_PATH}/`, 303);
    return reply
      .code(410)
      .type("text/plain; charset=utf-8")
      .send("This link has expired or was already used. Start the demo again for a new one.\n");
  };

  // Without HEAD, which programs send to look at a link.
  app.get(path, { config: { permission: "anyone" }, exposeHeadRoute: false }, enter);
  return `${workspaceUrl(config)}${path}?token=${token}`;
};
