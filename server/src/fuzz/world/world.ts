import { createHash, randomUUID } from "node:crypto";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Secret, TOTP } from "otpauth";
import { createLink } from "#platform/auth/passwords/passwordLinks.ts";
import { hashPassword } from "#platform/auth/passwords/passwords.ts";
import { startChallenge } from "#platform/auth/signIn/challenges.ts";
import { beginAuthenticator } from "#platform/auth/twoFactor/totp.ts";
import type { TestProduct } from "#testing.ts";
import type { Caller, Sent } from "../generate/requests.ts";
import type { Answer } from "../oracles.ts";
import { createCatalogFactory, recordsOf } from "./catalog.ts";
import { moneyOf } from "./money.ts";
import { makeWorkspace } from "./workspace.ts";

const password = "ballast-orchid-7-lantern";

const makePasskey = `
  insert into passkeys (user_id, name, credential_id, public_key, counter, transports, created_at)
  values ($1, 'Fuzz', $2, '\\x00', 0, '{}', now())`;

const makeHook = `
  with endpoint as (
    insert into webhook_endpoints (url, types, secret, status)
    select 'https://93.184.216.34/' || $1 || status, '{entitlements.changed}', '', status
    from unnest(array['active', 'disabled']) as status returning id
  ), event as (
    insert into webhook_events (type, seq, data) values ('test', 0, '{}') returning id
  )
  insert into webhook_deliveries (endpoint_id, event_id, line, seq, type)
  select endpoint.id, event.id, event.id, 0, 'test' from endpoint, event returning id, endpoint_id`;

const failJob = `
  update pgboss.job set state = 'failed', completed_on = now(), output = '{"message": "fuzz"}'
  where id = $1`;

const makeFailedJob = async ({ owner, platform }: Pick<TestProduct, "owner" | "platform">) => {
  const name = "send-link";
  const payload = { email: "nobody@example.com", purpose: "reset" };
  const id = (await platform.queues.boss.send(name, payload)) ?? "";
  await owner.query(failJob, [id]);
  return [{ params: { name, id }, version: 1 }];
};

/** A comment of the user on each record. */
const makeComments = async (
  owner: TestProduct["owner"],
  authorId: string,
  records: Record<string, string>,
) => {
  const made: Record<string, { params: Record<string, string>; version: number }[]> = {};
  for (const [entity, id] of Object.entries(records)) {
    const { rows } = await owner.query<{ id: string }>(
      "insert into user_notes (entity, record_id, author_id, text) values ($1, $2, $3, 'Fuzz') returning id",
      [entity, id, authorId],
    );
    const params = { id, commentId: rows[0]?.id ?? "" };
    made[`/${entity}/{id}/comments/{commentId}`] = [{ params, version: 1 }];
  }
  return made;
};

/** The text of a response, which is compressed if it is long and the request accepted that. */
const decoded = (bytes: Buffer, encoding: unknown) => {
  if (encoding === "br") return brotliDecompressSync(bytes).toString();
  return (encoding === "gzip" ? gunzipSync(bytes) : bytes).toString();
};

const senderTo =
  (app: TestProduct["app"]) =>
  async (sent: Sent): Promise<Answer> => {
    const { statusCode, headers, rawPayload } = await app.inject(sent);
    const body = decoded(rawPayload, headers["content-encoding"]);
    return { status: statusCode, headers, body };
  };

/** Creates owners, each with a session, an API key and every kind of record a user can have. */
export const createWorld = async ({ app, platform, owner, config, signIn }: TestProduct) => {
  const { db } = platform;
  const makeCatalog = createCatalogFactory(owner);
  const makeMoney = moneyOf(owner);
  const hash = await hashPassword(password);

  const makeCodes = async (userId: string, email: string) => {
    const begun = await beginAuthenticator(db, { userId, email, keys: config.SECRET_KEYS });
    const totp = new TOTP({ secret: Secret.fromBase32(begun?.secret ?? "") });
    return [totp.generate({ timestamp: platform.now().getTime() })];
  };

  const makeChallenges = async (userId: string) => {
    const now = platform.now();
    const started = [
      startChallenge(db, { purpose: "code", userId, webauthn: null, now }),
      startChallenge(db, { purpose: "passkey sign-in", userId: null, webauthn: "AAAA", now }),
      startChallenge(db, { purpose: "passkey adding", userId, webauthn: "AAAA", now }),
    ];
    return (await Promise.all(started)).map(({ challenge }) => challenge);
  };

  const renew = async (): Promise<Caller> => {
    const { id, email, cookie } = await signIn("owner");
    const credentialId = randomUUID();
    await owner.query("insert into passwords values ($1, $2, now())", [id, hash]);
    await owner.query(makePasskey, [id, credentialId]);
    const { secret, rollouts, grants, reservations, ...made } = await makeCatalog(id);
    const { people, values, records, commented } = await makeMoney(id);
    const hooks = (await owner.query<{ id: string; endpoint_id: string }>(makeHook, [id])).rows;
    const link = await createLink(db, { userId: id, purpose: "reset", now: platform.now() });
    return {
      credentials: { session: { cookie }, appKey: { authorization: `Bearer ${secret}` } },
      values: {
        userId: [id],
        mentions: [id],
        appId: [made.appId],
        featureId: [made.featureId],
        ids: [made.appId, made.featureId],
        app: [made.appId],
        feature: [made.featureCode],
        ...values,
        draftId: [made.draftId],
        currency: ["EUR"],
        number: ["1", "2", "3"],
        email: [email],
        url: [`https://93.184.216.34/${credentialId}`],
        password: [password],
        current: [password],
        code: await makeCodes(id, email),
        challenge: await makeChallenges(id),
        token: [link],
        // A catalog file without changes, and the hash of an empty diff.
        source: ["version: 1\n"],
        hash: [createHash("sha256").update("[[],[]]").digest("hex").slice(0, 32)],
        id: [credentialId],
        rawId: [credentialId],
      },
      records: {
        "/jobs/{name}/{id}": await makeFailedJob({ owner, platform }),
        ...(await makeComments(owner, id, { ...made.commented, ...commented })),
        "/usage/reservations/{id}": recordsOf(reservations),
        "/rollouts/{id}": recordsOf(rollouts),
        "/grants/{id}": recordsOf(grants),
        ...records,
        ...(await makeWorkspace(owner, id)),
        "/users/{id}": recordsOf([id, ...people]),
        "/webhook-endpoints/{id}": recordsOf(hooks.map((hook) => hook.endpoint_id)),
        "/webhook-deliveries/{id}": recordsOf(hooks.map((hook) => hook.id)),
      },
    };
  };

  return { renew, send: senderTo(app), origin: config.PUBLIC_URL };
};
