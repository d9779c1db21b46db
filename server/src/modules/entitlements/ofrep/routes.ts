import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { assertScope, type CallingKey } from "#platform/auth/apiKeys.ts";
import { networkOf } from "#platform/auth/attempts.ts";
import { answerPreflight } from "#platform/auth/crossOrigin.ts";
import type { CachedChecks } from "../explanation/cachedChecks.ts";
import type { Checked } from "../explanation/check.ts";
import { allowedSuffix, flagsOf } from "./flags.ts";

// The OpenFeature Remote Evaluation Protocol, version 0.3.0, which every OpenFeature SDK has a provider for.
const path = "/ofrep/v1/evaluate/flags";

const evaluation = z.object({
  context: z
    .object({
      targetingKey: z.string().min(1).max(254).optional(),
      /** The header Purser-Version of a change, so that the answer is no older than it. */
      purserVersion: z.int().min(0).optional(),
    })
    .optional(),
});

type Refused = { errorCode: string; errorDetails: string };

const contextInvalid: Refused = {
  errorCode: "INVALID_CONTEXT",
  errorDetails: "Send a JSON object with a context.",
};
const keyMissing: Refused = {
  errorCode: "TARGETING_KEY_MISSING",
  errorDetails: "Set targetingKey to the ID or email address of the customer.",
};
const otherCustomer: Refused = {
  errorCode: "INVALID_CONTEXT",
  errorDetails:
    "With a publishable key, the customer token names the customer. Leave out targetingKey.",
};

/** Who the flags are about. A publishable key can't choose. */
const customerOf = ({ kind, customer }: CallingKey, body: unknown): string | Refused => {
  const parsed = evaluation.safeParse(body ?? {});
  if (!parsed.success) return contextInvalid;
  const targetingKey = parsed.data.context?.targetingKey;
  if (kind === "server") return targetingKey ?? keyMissing;
  if (customer === null) return keyMissing;
  return targetingKey === undefined || targetingKey === customer ? customer : otherCustomer;
};

const etagOf = (body: string) =>
  `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;

export const ofrepRoutes = (app: FastifyInstance, checks: CachedChecks) => {
  const { company, counts, keyLimits, db: anyDb } = app.platform;

  const scopeOf = ({ callingKey, now, body }: FastifyRequest) => {
    const key = callingKey as CallingKey;
    assertScope(key, "entitlements:read");
    const minVersion = evaluation.safeParse(body ?? {}).data?.context?.purserVersion;
    return { key, appId: key.appId, at: now, zone: company.current().timeZone, minVersion };
  };
  const count = ({ answer }: Checked) => {
    counts.checks[answer.allowed ? "allowed" : "denied"] += 1;
  };
  const refuse = (reply: FastifyReply, refused: Refused & { key?: string }, status = 400) =>
    reply.code(status).send(refused);

  const config = { permission: "app key", publishable: true } as const;

  for (const url of [path, `${path}/:key`])
    app.route({
      method: "OPTIONS",
      url,
      config: { permission: "anyone", publishable: true },
      handler: (request, reply) => {
        keyLimits.countNetwork(networkOf(request.ip));
        return answerPreflight(anyDb, request, reply);
      },
    });

  app.route<{ Params: { key: string } }>({
    method: "POST",
    url: `${path}/:key`,
    config,
    handler: async (request, reply) => {
      const { key: flag } = request.params;
      const scope = scopeOf(request);
      const user = customerOf(scope.key, request.body);
      if (typeof user !== "string") return refuse(reply, { key: flag, ...user });
      const code = flag.endsWith(allowedSuffix) ? flag.slice(0, -allowedSuffix.length) : flag;
      const [answered] = await checks.many(scope, [{ user, feature: code }]);
      const checked = answered ?? undefined;
      app.checkRecorder.record({ key: scope.key, now: scope.at, reply }, code, checked);
      const found = checked && flagsOf(checked).find(({ key }) => key === flag);
      if (!checked || !found)
        return refuse(
          reply,
          { key: flag, errorCode: "FLAG_NOT_FOUND", errorDetails: "This app has no such feature." },
          404,
        );
      count(checked);
      return reply.send(found);
    },
  });

  app.route({
    method: "POST",
    url: path,
    config,
    handler: async (request, reply) => {
      const scope = scopeOf(request);
      const user = customerOf(scope.key, request.body);
      if (typeof user !== "string") return refuse(reply, user);
      const checked = await checks.all(scope, user);
      checked.forEach(count);
      app.checkRecorder.recordList({ key: scope.key, now: scope.at, reply });
      const body = JSON.stringify({ flags: checked.flatMap(flagsOf) });
      const etag = etagOf(body);
      reply.header("etag", etag).header("cache-control", "private, no-cache");
      if (request.headers["if-none-match"] === etag) return reply.code(304).send();
      return reply.type("application/json; charset=utf-8").send(body);
    },
  });
};
