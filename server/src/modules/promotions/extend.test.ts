import {
  archivePromotion,
  createPromotion,
  extendPromotion,
  getPromotion,
  previewBulkPromotions,
  publishPromotion,
  shortenPromotion,
  startBulkPromotions,
} from "@purser/contract/promotions/endpoints";
import { getListJob, listJobRows, undoListJob } from "@purser/contract/workspace/listJobs";
import { expect, test, vi } from "vitest";
import { testProduct } from "#testing.ts";
import { patiently } from "../../patience.testing.ts";
import { workersOf } from "../packages/testing/workers.testing.ts";

const product = await testProduct();
const { call, signIn } = product;
const { work } = workersOf(product);
const admin = await signIn("admin");
const day = (text: string) => `${text}T00:00:00.000Z`;

const make = async (name: string, endsAt: string | null) => {
  const body = { name, kind: "percent", basisPoints: 1000, requiresCode: false, endsAt } as const;
  const { id, version } = (await call(admin, createPromotion, { body })).body;
  return (await call(admin, publishPromotion, { params: { id }, version, body: {} })).body;
};

const endOf = async (id: string) =>
  (await call(admin, getPromotion, { params: { id } })).body.endsAt;

const patience = { timeout: patiently(30_000), interval: 50 };

const ended = async (id: string) => {
  const read = async () => (await call(admin, getListJob, { params: { id } })).body;
  await vi.waitFor(async () => expect((await read()).status).not.toBe("running"), patience);
  return read();
};

test.each([
  ["earlier", day("2090-01-01"), day("2089-01-01"), "promotion_ends_later"],
  ["the same", day("2090-01-01"), day("2090-01-01"), "promotion_ends_later"],
  ["in the past", day("2020-01-01"), day("2021-01-01"), "promotion_end_past"],
  ["later than none", null, day("2090-01-01"), "promotion_endless"],
])("a promotion isn't extended to an end that is %s", async (_case, before, endsAt, reason) => {
  const { id, version } = await make(`Refused ${reason} ${endsAt}`, before);
  const { status, body } = await call(admin, extendPromotion, {
    params: { id },
    version,
    body: { endsAt },
  });
  expect([status, body["reason"]]).toEqual([409, reason]);
  expect(await endOf(id)).toBe(before);
});

test("only the end date changes, and can be moved back", async () => {
  const { id, version, ...before } = await make("Alone", day("2090-01-01"));
  const { body } = await call(admin, extendPromotion, {
    params: { id },
    version,
    body: { endsAt: day("2091-01-01") },
  });
  expect(body).toMatchObject({ name: before.name, basisPoints: 1000, endsAt: day("2091-01-01") });
  const stale = await call(admin, shortenPromotion, {
    params: { id },
    version,
    body: { endsAt: day("2090-01-01") },
  });
  expect(stale.status).toBe(412);
  const back = await call(admin, shortenPromotion, {
    params: { id },
    version: body.version,
    body: { endsAt: day("2090-01-01") },
  });
  expect(back.body.endsAt).toBe(day("2090-01-01"));
});

test("all that match are extended by a job, with the words of the preview, and each end date is restored", async () => {
  const [first, second, later, endless, archived] = [
    await make("Season one", day("2090-02-01")),
    await make("Season two", day("2090-03-01")),
    await make("Season later", day("2090-12-01")),
    await make("Season endless", null),
    await make("Season archived", day("2090-02-01")),
  ];
  await call(admin, archivePromotion, {
    params: { id: archived.id },
    version: archived.version,
    body: {},
  });
  const chosen = { action: "extend" as const, q: "season" };
  const missing = await call(admin, previewBulkPromotions, { query: chosen });
  expect([missing.status, missing.body["errors"]]).toMatchObject([400, [{ pointer: "/endsAt" }]]);
  const asked = { ...chosen, endsAt: day("2090-06-01") };
  const { status, text, body } = await call(admin, previewBulkPromotions, { query: asked });
  expect(status, text).toBe(200);
  expect([body.total, body.changed]).toEqual([5, 2]);
  const foreseen = body.refused.map(({ detail, outcome, rows }) => [detail.code, outcome, rows]);
  expect(foreseen.toSorted()).toEqual([
    ["promotion_archived_end", "failed", 1],
    ["promotion_endless", "unchanged", 1],
    ["promotion_ends_later", "unchanged", 1],
  ]);

  const { body: job } = await call(admin, startBulkPromotions, {
    body: { ...asked, f: [], expected: 5 },
  });
  await work();
  const params = { id: job.id };
  expect(await ended(job.id)).toMatchObject({
    status: "finished",
    done: 2,
    unchanged: 2,
    failed: 1,
    canUndo: true,
  });
  const rows = (await call(admin, listJobRows, { params })).body.items;
  expect(
    rows.flatMap(({ detail, outcome }) => (detail ? [[detail.code, outcome, 1]] : [])).toSorted(),
  ).toEqual(foreseen.toSorted());
  const ends = () => Promise.all([first, second, later, endless].map(({ id }) => endOf(id)));
  expect(await ends()).toEqual([day("2090-06-01"), day("2090-06-01"), day("2090-12-01"), null]);

  const undoing = await call(admin, undoListJob, { params, body: {} });
  expect(undoing.body).toMatchObject({ action: "shorten", total: 2 });
  await ended(undoing.body.id);
  expect(await ends()).toEqual([day("2090-02-01"), day("2090-03-01"), day("2090-12-01"), null]);
});
