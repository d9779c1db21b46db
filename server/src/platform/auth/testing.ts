import { setTimeout } from "node:timers/promises";
import { confirmWithPassword } from "@purser/contract/auth/confirmation";
import type { Role } from "@purser/contract/auth/permissions";
import { signIn } from "@purser/contract/auth/signIn";
import { confirmTotp, startTotp } from "@purser/contract/auth/twoFactor";
import { Secret, TOTP } from "otpauth";
import { SMTPServer } from "smtp-server";
import { afterAll, onTestFinished } from "vitest";
import type { TestProduct } from "../../testing.ts";
import { hashPassword } from "./passwords/passwords.ts";

/** The password of all users in these tests. Hashed once, because hashing is slow. */
export const password = "violet anchor picnic 47";
const passwordHash = hashPassword(password);

export const minute = 60;
export const hour = 3600;

/** A clock that only the test moves. */
export const movableClock = () => {
  let time = Date.parse("2026-03-02T09:00:00Z");
  return {
    now: () => time,
    forward: (seconds: number) => {
      time += seconds * 1000;
    },
  };
};
export type MovableClock = ReturnType<typeof movableClock>;

let addresses = 0;

/** An address without counted attempts. */
export const newAddress = () => {
  addresses += 1;
  return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
};

type Made = { role?: Role | null; status?: string; secured?: boolean };

/** Adds many users in one statement. All have the same password unless `secured` is false. */
export const addUsers = async (
  { owner }: TestProduct,
  count: number,
  { role = "viewer", status = "active", secured = true }: Made = {},
) => {
  const { rows } = await owner.query<{ id: string; email: string }>(
    `with made as (
       insert into users (email, name, role, status)
       select gen_random_uuid() || '@example.com', 'Robin', $2, $3 from generate_series(1, $1)
       returning id, email
     ), secured as (
       insert into passwords (id, hash, changed_at) select id, $4, now() from made where $5
     )
     select id, email from made`,
    [count, role, status, await passwordHash, secured],
  );
  return rows;
};

export const addPerson = async (product: TestProduct, made: Made = {}) => {
  const [person] = await addUsers(product, 1, made);
  if (!person) throw new Error("Nobody was added.");
  return person;
};

type Cookies = { cookies: readonly { name: string; value: string }[] };

/** The cookies that a browser sends after this reply. */
export const cookieOf = ({ cookies }: Cookies) =>
  cookies.map(({ name, value }) => `${name}=${value}`).join("; ");

type Tried = { email: string; password?: string; cookie?: string; address?: string };

/** One sign-in attempt, from a new address by default. */
export const attemptSignIn = ({ call }: TestProduct, tried: Tried) =>
  call(tried.cookie ? { cookie: tried.cookie } : null, signIn, {
    body: { email: tried.email, password: tried.password ?? password },
    address: tried.address ?? newAddress(),
  });

/** Signs in like a browser and returns its cookies. */
export const enter = async (product: TestProduct, email: string) => {
  const entered = await attemptSignIn(product, { email });
  if (entered.status !== 200) throw new Error(`Signing in gave ${entered.text}`);
  return { cookie: cookieOf(entered), entered };
};

/** Confirms the identity of a signed-in user without two-factor authentication, who gets a new cookie. */
export const confirmPassword = async ({ call }: TestProduct, person: { cookie: string }) => {
  const confirmed = await call(person, confirmWithPassword, {
    body: { password },
    address: newAddress(),
  });
  if (confirmed.status !== 204) throw new Error(`Confirming gave ${confirmed.text}`);
  person.cookie = cookieOf(confirmed);
};

/** Signs in with the password and confirms the identity with it. */
export const enterConfirmed = async (product: TestProduct, email: string) => {
  const entered = await enter(product, email);
  await confirmPassword(product, entered);
  return entered;
};

/**
 * A sign-in whose right password was judged but whose session is not there yet: it is held at the
 * count of its address until the function that comes back is called.
 */
export const holdSignIn = async (product: TestProduct, email: string) => {
  const { owner } = product;
  const address = newAddress();
  const counted = `select from tries
    where subject = sha256(convert_to('address:' || $1, 'UTF8')) for update`;
  const held = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  let ended = false;
  const entering = attemptSignIn(product, { email, address }).finally(() => {
    ended = true;
  });
  const client = await owner.connect();
  await client.query("begin");
  while (!ended && !(await client.query(counted, [address])).rowCount) await setTimeout(1);
  while (!ended && !(await owner.query(held)).rowCount) await setTimeout(1);
  const release = async () => {
    await client.query("commit");
    client.release();
    return entering;
  };
  let released: ReturnType<typeof release> | undefined;
  const releaseOnce = () => {
    released ??= release();
    return released;
  };
  // Also when the test fails first, so that the others do not wait for this one's lock.
  onTestFinished(async () => {
    await releaseOnce();
  });
  return releaseOnce;
};

/** The challenge of a sign-in that waits for its second step. */
export const startCode = async (product: TestProduct, email: string) => {
  const { body, text } = await attemptSignIn(product, { email });
  if (body.state !== "second factor") throw new Error(`No second step was asked for: ${text}`);
  return body.challenge;
};

export const codeAt = (secret: string, timeMs: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: timeMs });

/** A user with an authenticator. The clock is at a time whose code was not used yet. */
export const addPersonWithCode = async (product: TestProduct, clock: MovableClock) => {
  const { call } = product;
  const person = await addPerson(product);
  const { cookie } = await enterConfirmed(product, person.email);
  const address = newAddress();
  const started = await call({ cookie }, startTotp, { body: {}, address });
  const { secret } = started.body;
  const code = codeAt(secret, clock.now());
  const confirmed = await call({ cookie }, confirmTotp, { body: { code }, address });
  if (confirmed.status !== 200) throw new Error(`Confirming gave ${confirmed.text}`);
  clock.forward(2 * minute);
  return { ...person, cookie, secret, recoveryCodes: confirmed.body.recoveryCodes };
};

type Mail = { to: string; subject: string; text: string };

const decoded = (quoted: string) =>
  quoted
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const textOf = (raw: string) => {
  const [head = "", ...rest] = raw.split("\r\n\r\n");
  const body = rest.join("\r\n\r\n");
  return /^content-transfer-encoding: quoted-printable/im.test(head) ? decoded(body) : body;
};

const subjectOf = (raw: string) => /^subject: (.*)$/im.exec(raw)?.[1]?.trim() ?? "";

/** A mail server that stores emails. `onMail` runs before it accepts one. */
export const openMailSink = async () => {
  const mails: Mail[] = [];
  const hooks: { onMail?: (mail: Mail) => Promise<void> } = {};
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const raw = Buffer.concat(chunks).toString("utf8");
        for (const { address: to } of session.envelope.rcptTo) {
          const mail = { to, subject: subjectOf(raw), text: textOf(raw) };
          await hooks.onMail?.(mail);
          mails.push(mail);
        }
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.server.address();
  const port = typeof bound === "object" ? bound?.port : null;
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { url: `smtp://127.0.0.1:${port}`, mails, hooks };
};

/** Waits until all requested emails are sent and their jobs have ended. */
export const allMailed = async ({ owner }: TestProduct) => {
  const open = `select from pgboss.job
    where name = 'send-link' and state in ('created', 'retry', 'active')`;
  while ((await owner.query(open)).rowCount) await setTimeout(20);
};

export const tokenIn = ({ text }: Mail) => {
  const token = /#set-password=([A-Za-z0-9_-]{43})/.exec(text)?.[1];
  if (!token) throw new Error(`No link in the mail: ${text}`);
  return token;
};
