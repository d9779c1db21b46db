import { changePackage } from "@purser/contract/packages/endpoints";
import {
  listRollouts,
  publishPackage,
  unschedulePackage,
} from "@purser/contract/packages/publishing";
import { getVersion } from "@purser/contract/packages/versions";
import { expect, test, vi } from "vitest";
import { patiently } from "#patience.testing.ts";
import { testProduct } from "#testing.ts";
import { catalogIn } from "../testing/testing.ts";
import { workersOf } from "../testing/workers.testing.ts";

const product = await testProduct();
const { call, signIn, owner } = product;
const admin = await signIn("admin", "Robin Example");
const { newApp, newLimit, newPackage, read, give, impactOf, publish, addSubscribers } = catalogIn(
  product,
  admin,
);
const { work } = workersOf(product);

const eur = { currency: "EUR", amount: 1200, interval: "month", intervalCount: 1 } as const;
const waiting = { timeout: patiently(40_000), interval: 100 };

/** A package on sale with this many seats, and customers who subscribe to it. */
const sold = async ({ seats: value, subscribers }: { seats: number; subscribers: number }) => {
  const app = await newApp();
  const seats = await newLimit(app.id);
  const { id } = await newPackage({ prices: [eur] });
  await give(id, seats, value);
  await publish(id);
  const customers = await addSubscribers(id, subscribers);
  return { id, seats, customers };
};

const rolloutOf = async (id: string) => {
  const { body } = await call(admin, listRollouts, { params: { id } });
  return body.items[0];
};

const changedText =
  "The draft or its subscribers changed. Review the new impact and publish again.";

test("refuses to publish if the impact changed since it was shown", async () => {
  const { id, seats } = await sold({ seats: 5, subscribers: 3 });
  await give(id, seats, 3);
  const shown = (await impactOf(id)).body;
  expect(shown).toMatchObject({ subscribers: 3, gain: 0, lose: 3 });
  expect(shown.effects).toMatchObject([{ before: 5, after: 3, lose: 3, above: 0 }]);
  await addSubscribers(id, 1);
  const draftId = (await read(id)).draft?.id ?? "";
  const body = { draftId, note: "Fewer seats.", impact: shown.hash };
  const refused = await call(admin, publishPackage, { params: { id }, body });
  expect(refused.status).toBe(409);
  expect(refused.body["current"]).toMatchObject({ subscribers: 4, lose: 4 });
  const { hash } = refused.body["current"] as { hash: string };
  const published = await call(admin, publishPackage, {
    params: { id },
    body: { ...body, impact: hash },
  });
  expect(published.body.onSale).toMatchObject({ number: 2 });
});

test("refuses to publish if the trial or the version on sale changed since it was shown", async () => {
  const { id, seats } = await sold({ seats: 5, subscribers: 0 });
  await give(id, seats, 8);
  const { code, name, prices, version, draft } = await read(id);
  const attempt = (impact: string) => {
    const body = { draftId: draft?.id ?? "", note: "More seats.", impact };
    return call(admin, publishPackage, { params: { id }, body });
  };
  const shown = (await impactOf(id)).body.hash;
  const body = { code, name, prices, trialDays: 365 };
  const changed = await call(admin, changePackage, { params: { id }, version, body });
  expect(changed.status).toBe(200);
  const refused = await attempt(shown);
  expect([refused.status, refused.body["detail"]]).toEqual([409, changedText]);

  // The scheduled version goes on sale while the next one is reviewed.
  await publish(id, { publishAt: new Date(Date.now() + 1000).toISOString() });
  await give(id, seats, 9);
  const next = await read(id);
  const reviewed = (await impactOf(id)).body.hash;
  await work();
  await vi.waitFor(
    async () => expect((await read(id)).onSale).toMatchObject({ number: 2 }),
    waiting,
  );
  const late = await call(admin, publishPackage, {
    params: { id },
    body: { draftId: next.draft?.id ?? "", note: "Next.", impact: reviewed },
  });
  expect([late.status, late.body["detail"]]).toEqual([409, changedText]);
});

test("requires a note and lists blocking issues", async () => {
  const { id } = await newPackage();
  const { body } = await impactOf(id);
  expect(body.blockingIssues).toMatchObject([{ code: "draft_without_apps" }]);
  const draftId = (await read(id)).draft?.id ?? "";
  const attempt = (note: string) =>
    call(admin, publishPackage, { params: { id }, body: { draftId, note, impact: body.hash } });
  expect((await attempt(" ")).body["errors"]).toMatchObject([{ pointer: "/note" }]);
  expect((await attempt("Now.")).status).toBe(409);
});

test("publishes a draft once when 20 team members publish it at the same time", async () => {
  const { id, seats } = await sold({ seats: 5, subscribers: 2 });
  await give(id, seats, 8);
  const members = await Promise.all(Array.from({ length: 20 }, () => signIn("catalog")));
  const draftId = (await read(id)).draft?.id ?? "";
  const { hash } = (await impactOf(id)).body;
  const body = { draftId, note: "At once.", rollout: "now" as const, impact: hash };
  const answers = await Promise.all(
    members.map((member) => call(member, publishPackage, { params: { id }, body })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const refused = answers.filter(({ status }) => status === 409);
  expect(refused).toHaveLength(19);
  for (const { body: answer } of refused)
    expect(answer["detail"]).toBe(
      "Someone else already published this draft. Version 2 is on sale.",
    );
  const { rows } = await owner.query("select from rollouts where package_id = $1", [id]);
  expect(rows).toHaveLength(1);
});

test("publishes a scheduled version once on time with two workers", async () => {
  const { id, seats } = await sold({ seats: 5, subscribers: 1 });
  await give(id, seats, 8);
  const publishAt = new Date(Date.now() + 1000).toISOString();
  const { body } = await publish(id, { publishAt, rollout: "now" });
  expect(body).toMatchObject({ draft: null, scheduled: { number: 2 }, onSale: { number: 1 } });
  await Promise.all([work(), work()]);
  await vi.waitFor(
    async () => expect((await read(id)).onSale).toMatchObject({ number: 2 }),
    waiting,
  );
  await vi.waitFor(async () => expect((await rolloutOf(id))?.status).toBe("done"), waiting);
  const { rows } = await owner.query(
    `select from audit_entries e join package_versions v on v.id = e.record_id
     where v.package_id = $1 and e.before ->> 'state' = 'scheduled' and e.after ->> 'state' = 'on sale'`,
    [id],
  );
  expect(rows).toHaveLength(1);
  const version = await call(admin, getVersion, { params: { id, number: "2" } });
  expect(version.body).toMatchObject({ publishedBy: "Robin Example", note: "Because it is time." });
});

test("turns an unscheduled version back into a draft", async () => {
  const { id, seats } = await sold({ seats: 5, subscribers: 0 });
  await give(id, seats, 8);
  await publish(id, { publishAt: new Date(Date.now() + 86_400_000).toISOString() });
  const { version } = await read(id);
  const { body } = await call(admin, unschedulePackage, { params: { id }, version, body: {} });
  expect(body).toMatchObject({ scheduled: null, draft: { number: 2 } });
  await give(id, seats, 9);
});
