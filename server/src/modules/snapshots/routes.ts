import { getSnapshot } from "@purser/contract/entitlements/snapshots";
import type { Message } from "@purser/contract/messages/message";
import type { FastifyInstance } from "fastify";
import { checkAll, checkOf } from "#modules/entitlements/explanation/check.ts";
import { assertScope, type CallingKey } from "#platform/auth/apiKeys.ts";
import { networkOf } from "#platform/auth/attempts.ts";
import { fieldError, Problem } from "#platform/http/problem.ts";
import { workspaceUrl } from "#platform/http/publicUrls.ts";
import { serveInSteps } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { findAppCode, findListedKeys } from "./queries.ts";
import { expiryOf } from "./rules.ts";
import { currentKey, signSnapshot } from "./signingKeys.ts";

const invalidUser = (detail: Message) =>
  new Problem("invalid", detail, { errors: [fieldError("/user", detail, "query")] });

/** Who the snapshot is about. With a publishable key, the token names the customer. */
const customerOf = ({ kind, customer }: CallingKey, user: string | undefined) => {
  if (kind === "server") {
    if (user !== undefined) return user;
    throw invalidUser(
      message("snapshot_user_required", "Name the customer in the parameter user."),
    );
  }
  if (customer === null)
    throw new Problem(
      "unauthenticated",
      message(
        "snapshot_token_required",
        "A publishable key requires a customer token. Create one on your server with POST /customer-tokens.",
      ),
    );
  if (user === undefined) return customer;
  throw invalidUser(
    message(
      "snapshot_user_refused",
      "Leave out the parameter user. With a publishable key, the token names the customer.",
    ),
  );
};

const secondsOf = (time: Date) => Math.floor(time.getTime() / 1000);

export const snapshotRoutes = (app: FastifyInstance) => {
  const { config, company, pools, keyLimits } = app.platform;

  serveInSteps(app, getSnapshot, async ({ db, key, query, now, change }) => {
    assertScope(key, "entitlements:read");
    const user = customerOf(key, query.user);
    const scope = { appId: key.appId, at: now, zone: company.current().timeZone };
    const features = (await checkAll(db, scope, user)).map((one) => checkOf(one, now));
    const expiresAt = expiryOf(features, query.hours, now);
    const token = signSnapshot(await currentKey(db, config.SECRET_KEYS, change), {
      iss: workspaceUrl(config),
      aud: await findAppCode(db, key.appId),
      sub: user,
      iat: secondsOf(now),
      exp: secondsOf(expiresAt),
      features,
    });
    return { token, expiresAt };
  });

  // Public by its nature: anyone may verify what Purser signed.
  app.route({
    method: "GET",
    url: "/.well-known/jwks.json",
    config: { permission: "anyone" },
    handler: async ({ now, ip }, reply) => {
      keyLimits.countNetwork(networkOf(ip));
      const keys = await findListedKeys(pools.checks.db, now);
      return reply
        .header("cache-control", "public, max-age=60")
        .header("access-control-allow-origin", "*")
        .send({
          keys: keys.map(({ id, publicKey }) => ({
            kty: "OKP",
            crv: "Ed25519",
            alg: "EdDSA",
            use: "sig",
            kid: id,
            x: publicKey,
          })),
        });
    },
  });
};
