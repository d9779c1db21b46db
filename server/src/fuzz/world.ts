import { randomUUID } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { startChallenge } from "#platform/auth/challenges.ts";
import { newKeySecret } from "#platform/auth/keys.ts";
import { createLink } from "#platform/auth/links.ts";
import { hashPassword } from "#platform/auth/passwords.ts";
import { beginAuthenticator } from "#platform/auth/totp.ts";
import type { TestProduct } from "../testing.ts";
import type { Answer } from "./oracles.ts";
import type { Caller, Sent } from "./requests.ts";

const password = "ballast-orchid-7-lantern";

const makeApps = `
  insert into apps (code, name, status, activated_at)
  select 'fuzz-' || gen_random_uuid(), 'Fuzz', status, case when status <> 'draft' then now() end
  from unnest(array['draft', 'draft', 'active', 'active', 'archived']) as status
  returning id, status`;

const makeStaff = `
  insert into users (email, name, role, status)
  select gen_random_uuid() || '@example.com', 'Fuzz', 'viewer', status
  from unnest(array['invited', 'active', 'suspended']) as status`;

const makeKey = `
  insert into app_keys (app_id, name, kind, scopes, prefix, secret_hash, created_at)
  values ($1, 'Fuzz', 'server', array['entitlements:read'], $2, $3, now()) returning id`;

const makePasskey = `
  insert into passkeys (user_id, name, credential_id, public_key, counter, transports, created_at)
  values ($1, 'Fuzz', $2, '\\x00', 0, '{}', now())`;

const failJob = `
  update pgboss.job set state = 'failed', completed_on = now(), output = '{"message": "fuzz"}'
  where id = $1`;

/** Owners, one after the other, each with a session, a key and everything that a person can have. */
export const createWorld = async ({ app, platform, owner, config, signIn }: TestProduct) => {
  const { db, queues } = platform;
  const hash = await hashPassword(password);

  const makeCodes = async (userId: string, email: string) => {
    const begun = await beginAuthenticator(db, { userId, email, secretKey: config.SECRET_KEY });
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

  const makeFailedJob = async () => {
    const name = "send-link";
    const payload = { email: "nobody@example.com", purpose: "reset" };
    const id = (await queues.boss.send(name, payload)) ?? "";
    await owner.query(failJob, [id]);
    return [{ params: { name, id }, version: 1 }];
  };

  const makeCatalogue = async () => {
    await owner.query(makeStaff);
    const { rows } = await owner.query<{ id: string; status: string }>(makeApps);
    const active = rows.find(({ status }) => status === "active");
    const { secret, prefix, secretHash } = newKeySecret("server");
    await owner.query(makeKey, [active?.id, prefix, secretHash]);
    return secret;
  };

  const renew = async (): Promise<Caller> => {
    const { id, email, cookie } = await signIn("owner");
    const credentialId = randomUUID();
    await owner.query("insert into passwords values ($1, $2, now())", [id, hash]);
    await owner.query(makePasskey, [id, credentialId]);
    const secret = await makeCatalogue();
    const link = await createLink(db, { userId: id, purpose: "reset", now: platform.now() });
    return {
      credentials: { session: { cookie }, appKey: { authorization: `Bearer ${secret}` } },
      values: {
        userId: [id],
        email: [email],
        password: [password],
        current: [password],
        code: await makeCodes(id, email),
        challenge: await makeChallenges(id),
        token: [link],
        id: [credentialId],
        rawId: [credentialId],
      },
      records: { "/jobs/{name}/{id}": await makeFailedJob() },
    };
  };

  const send = async (sent: Sent): Promise<Answer> => {
    const { statusCode, headers, body } = await app.inject(sent);
    return { status: statusCode, headers, body };
  };

  return { renew, send, origin: config.PUBLIC_URL };
};
