import {
  changeTeamMember,
  inviteTeamMember,
  removeTeamMember,
  suspendTeamMember,
} from "@purser/contract/users/team";
import {
  approveApproval,
  getApproval,
  rejectApproval,
  requestApproval,
  withdrawApproval,
} from "@purser/contract/workspace/approvals";
import {
  changeSettings,
  getSettings,
  type SettingsDetails,
} from "@purser/contract/workspace/settings";
import { expect, test, vi } from "vitest";
import { type TestProduct, testProduct } from "../../testing.ts";
import { tellRequesterJob } from "./jobs.ts";
import { applyWaitingChanges, tellOwnersJob } from "./waitingJobs.ts";

const hour = 3_600_000;
const required = "urn:purser:problem:approval_required";

/** A company with owners, and a clock that tests move. */
const company = async (owners: number) => {
  let shift = 0;
  const product = await testProduct({ clock: { now: () => Date.now() + shift } });
  await product.owner.query(
    `update settings set approval_rules = '{refund,price,erase,owner,grant}', refund_limits = '{"EUR": 10000}',
       second_factor_roles = '{finance}', passwords_allowed = true`,
  );
  const people = await Promise.all(
    Array.from({ length: owners }, (_, place) => product.signIn("owner", `Owner ${place + 1}`)),
  );
  const send = vi.fn(async (_mail: { to: string; subject: string; text: string }) => undefined);
  const mail = { send, close: () => undefined };
  const tell = tellRequesterJob(mail, "https://purser.example.com");
  const later = async (hours: number) => {
    shift += hours * hour;
    const step = <T>(work: (db: never, enqueue: never) => Promise<T>) =>
      product.platform.db
        .transaction()
        .execute((db) => work(db as never, (async () => undefined) as never));
    const tools = {
      db: product.platform.db,
      now: new Date(Date.now() + shift),
      step,
      enqueue: vi.fn(),
    };
    await applyWaitingChanges(product.app.writes, tell).run(tools as never, {});
  };
  // Tests with one owner use only the first.
  const [one, two = one] = people;
  if (!one || !two) throw new Error("There is no owner.");
  return { ...product, people: [one, two] as const, send, mail, later };
};

type Person = { id: string; cookie: string };

const settingsIn = ({ call, startSession }: Pick<TestProduct, "call" | "startSession">) => {
  const fresh = async ({ id }: Person) => ({ id, cookie: await startSession(id) });
  const read = async (person: Person) => (await call(await fresh(person), getSettings)).body;
  const bodyOf = async (person: Person, changes: Partial<SettingsDetails>) => {
    const { version, updatedAt: _, ...details } = await read(person);
    return { version, body: { ...details, ...changes } };
  };
  const change = async (person: Person, changes: Partial<SettingsDetails>) =>
    call(person, changeSettings, await bodyOf(person, changes));
  const ask = async (person: Person, changes: Partial<SettingsDetails>) => {
    const { version, body } = await bodyOf(person, changes);
    return call(person, requestApproval, {
      body: { operation: "PUT /settings", params: {}, body, version, reason: "Needed." },
    });
  };
  return { fresh, read, change, ask };
};

const shared = await company(2);

const owners = [{ group: "it", role: "owner" as const }];

test.each<[string, Partial<SettingsDetails>]>([
  ["turning off a rule", { approvalRules: ["price", "erase", "owner", "grant"] }],
  ["raising a limit", { refundLimits: { EUR: 10_001 } }],
  ["a limit where there was none", { refundLimits: { EUR: 10_000, USD: 1 } }],
  ["a higher limit per day", { refundDailyLimits: { EUR: 10_001 } }],
  ["a higher limit per customer", { refundCustomerLimits: { EUR: 10_001 } }],
  ["longer grants", { grantLimits: { support: { days: 91, packages: [] } } }],
  ["a shorter waiting period", { waitingHours: 24 }],
  ["2FA for fewer roles", { twoFactorRoles: [] }],
  ["a longer setup period", { twoFactorGraceDays: 90 }],
  ["a group of owners", { signInGroups: owners }],
])("D4 %s requires another owner", async (_, changes) => {
  const [one] = shared.people;
  const { change } = settingsIn(shared);
  expect((await change(one, changes)).body["type"]).toBe(required);
});

test("D4 tightening takes effect at once", async () => {
  const { people, ...product } = await company(1);
  const [one] = people;
  const { change } = settingsIn(product);
  const changed = await change(one, {
    refundLimits: { EUR: 9000 },
    refundDailyLimits: { EUR: 500 },
    grantLimits: { support: { days: 30, packages: [] } },
    twoFactorRoles: ["finance", "owner"],
    twoFactorGraceDays: 1,
    waitingHours: 72,
    signInGroups: [{ group: "help", role: "support" }],
  });
  expect(changed.status, changed.text).toBe(200);
});

test("D4 an owner can't take power from another one alone", async () => {
  const { call, owner, people } = await company(2);
  await owner.query("update settings set approval_rules = '{}'");
  const [one, two] = people;
  const at = { params: { id: two.id }, version: 1 };
  for (const refused of [
    await call(one, suspendTeamMember, { ...at, body: {} }),
    await call(one, removeTeamMember, { ...at, body: {} }),
    await call(one, changeTeamMember, { ...at, body: { name: "Owner 2", role: "viewer" } }),
  ])
    expect(refused.body["type"]).toBe(required);
});

test("D4 the only owner waits, and the change takes effect after the waiting period", async () => {
  const { people, later, send, mail, platform, ...product } = await company(1);
  const [one] = people;
  const { read, ask, fresh } = settingsIn(product);
  const made = await ask(one, { approvalRules: [] });
  expect(made.status, made.text).toBe(201);
  const { id, createdAt, takesEffectAt } = made.body;
  expect(Math.round((Date.parse(takesEffectAt ?? "") - Date.parse(createdAt)) / hour)).toBe(48);
  await tellOwnersJob(mail, "https://purser.example.com").run({ db: platform.db } as never, { id });
  expect(send.mock.calls.map(([{ to }]) => to)).toEqual([one.email]);
  expect(send.mock.lastCall?.[0].text).toContain("Any owner can stop it until then.");
  await later(47);
  expect((await read(one)).approvalRules).not.toEqual([]);
  await later(2);
  expect((await read(one)).approvalRules).toEqual([]);
  const done = await product.call(await fresh(one), getApproval, { params: { id } });
  expect(done.body).toMatchObject({ status: "applied", decidedBy: null });
  const { rows } = await product.owner.query(
    "select reason from audit_entries where entity = 'settings' order by id desc limit 1",
  );
  expect(rows).toEqual([{ reason: "Requested by Owner 1: Needed." }]);
});

test("D4 any owner stops or approves a waiting change, and the requester withdraws it", async () => {
  const { people, later, call, ...product } = await company(2);
  const [one, two] = people;
  const { read, ask, fresh } = settingsIn({ ...product, call });
  const stopped = (await ask(one, { approvalRules: [] })).body.id;
  const body = { reason: "I didn't agree." };
  expect((await call(two, rejectApproval, { params: { id: stopped }, body })).status).toBe(200);
  const withdrawn = (await ask(one, { waitingHours: 24 })).body.id;
  await call(one, withdrawApproval, { params: { id: withdrawn }, body: {} });
  await later(80);
  expect(await read(one)).toMatchObject({ waitingHours: 48 });
  const again = await ask(await fresh(one), { waitingHours: 24 });
  const own = await call(await fresh(one), approveApproval, {
    params: { id: again.body.id },
    body: {},
  });
  expect(own.body["type"]).toBe("urn:purser:problem:own_account");
  const approved = await call(await fresh(two), approveApproval, {
    params: { id: again.body.id },
    body: {},
  });
  expect(approved.status, approved.text).toBe(200);
  expect(await read(one)).toMatchObject({ waitingHours: 24 });
});

test("D4 an approver of one's own making can't approve within the waiting period", async () => {
  const { people, call, owner, ...product } = await company(1);
  await owner.query("update settings set approval_rules = '{refund,grant}'");
  const [one] = people;
  const { ask, fresh } = settingsIn({ ...product, call });
  const email = "puppet@example.com";
  const invited = await call(one, inviteTeamMember, {
    body: { email, name: "Puppet", role: "owner" },
  });
  expect(invited.status, invited.text).toBe(201);
  await owner.query("update users set status = 'active' where email = $1", [email]);
  const puppet = await fresh({ id: invited.body.id, cookie: "" });
  const { id } = (await ask(one, { approvalRules: [] })).body;
  const refused = await call(puppet, approveApproval, { params: { id }, body: {} });
  expect([refused.status, refused.body["detail"]]).toEqual([
    403,
    expect.stringMatching(/^Your role is new/),
  ]);
  const shown = await call(puppet, getApproval, { params: { id } });
  expect(shown.body).toMatchObject({ mayDecide: false, mayReject: true });
});

test("D4 with the rule for owners on, inviting one waits too", async () => {
  const { people, call, later, owner } = await company(1);
  const [one] = people;
  const body = { email: "second@example.com", name: "Second", role: "owner" as const };
  expect((await call(one, inviteTeamMember, { body })).body["type"]).toBe(required);
  const made = await call(one, requestApproval, {
    body: { operation: "POST /team", params: {}, body, reason: "For holidays." },
  });
  expect(made.body.takesEffectAt).not.toBeNull();
  await later(49);
  const { rows } = await owner.query("select role from users where email = $1", [body.email]);
  expect(rows).toEqual([{ role: "owner" }]);
});

test("D4 a change that no longer fits is out of date and does nothing", async () => {
  const { people, later, ...product } = await company(1);
  const [one] = people;
  const { read, ask, change, fresh } = settingsIn(product);
  const { id } = (await ask(one, { approvalRules: [] })).body;
  expect((await change(one, { graceDays: 3 })).status).toBe(200);
  await later(49);
  expect((await read(one)).approvalRules).toHaveLength(5);
  const shown = await product.call(await fresh(one), getApproval, { params: { id } });
  expect(shown.body.status).toBe("stale");
});
