import type { Wire } from "@purser/contract/http/endpoint";
import {
  changeTransaction,
  getTransaction,
  listTransactions,
  previewBulkTransactions,
  startBulkTransactions,
  tagTransaction,
} from "@purser/contract/transactions/endpoints";
import { getListJob, listJobRows, undoListJob } from "@purser/contract/workspace/listJobs";
import { beforeAll, expect, test, vi } from "vitest";
import { loadRows, testProduct } from "#testing.ts";
import { patiently } from "../../patience.testing.ts";
import { workersOf } from "../packages/testing/workers.testing.ts";

const product = await testProduct();
const { call, signIn, owner } = product;
const { work } = workersOf(product);
const finance = await signIn("finance");

// Four payments: without tags, with the tag "late", with 20 tags, and one that changes during the job.
beforeAll(async () => {
  await owner.query(
    "insert into users (email, name, status) values ('a@example.com', 'A', 'active')",
  );
  await loadRows(
    owner,
    `insert into transactions (number, kind, state, user_id, currency, subtotal, discount, tax, total, provider,
       reference, occurred_at, settled_at, is_split, note, tags)
     select 'TX-' || n, 'adjustment', 'succeeded', (select id from users where email = 'a@example.com'), 'EUR',
       100, 0, 0, 100, 'manual', 'ref-' || n, timestamptz '2026-01-01Z', timestamptz '2026-01-01Z', true, 'kept',
       case n when 2 then array['late'] when 3 then array(select 'tag-' || m from generate_series(1, 20) m)
         else '{}' end
     from generate_series(1, 4) n`,
  );
});

const findAll = async () => {
  const { body } = await call(finance, listTransactions);
  return body.items.toSorted((a, b) => a.number.localeCompare(b.number));
};

const tagsOf = async () => (await findAll()).map(({ tags }) => tags);

const ended = async (id: string) => {
  const read = async () => (await call(finance, getListJob, { params: { id } })).body;
  await vi.waitFor(async () => expect((await read()).status).not.toBe("running"), {
    timeout: patiently(30_000),
    interval: 50,
  });
  return read();
};

test("a tag is added once, and filters find it in any case", async () => {
  const [first] = await findAll();
  if (!first) throw new Error("There is no transaction.");
  const { id, version } = first;
  const add = (asked: number) =>
    call(finance, tagTransaction, { params: { id }, version: asked, body: { tag: "Bank error" } });
  const { body } = await add(version);
  expect([body.tags, body.note]).toEqual([["Bank error"], "kept"]);
  expect((await add(version)).status).toBe(412);
  expect((await add(body.version)).body["detail"]).toMatch(/already has this tag/);
  const query: Wire<typeof listTransactions>["query"] = { f: "tags:contains:BANK" };
  const found = (await call(finance, listTransactions, { query })).body.items;
  expect(found.map(({ number }) => number)).toEqual(["TX-1"]);
  await call(finance, changeTransaction, {
    params: { id },
    version: body.version,
    body: { note: "kept", tags: [] },
  });
});

test("all that match are tagged by a job, and only what it added is removed again", async () => {
  const chosen = { action: "tag" as const, tag: "late" };
  const missing = await call(finance, previewBulkTransactions, { query: { action: "tag" } });
  expect([missing.status, missing.body["errors"]]).toMatchObject([400, [{ pointer: "/tag" }]]);
  const { body } = await call(finance, previewBulkTransactions, { query: chosen });
  expect([body.total, body.changed]).toEqual([4, 2]);
  const foreseen = body.refused.map(({ detail, outcome, rows }) => [detail.code, outcome, rows]);
  expect(foreseen.toSorted()).toEqual([
    ["transaction_tagged", "unchanged", 1],
    ["transaction_tags_full", "failed", 1],
  ]);

  const { body: job } = await call(finance, startBulkTransactions, {
    body: { ...chosen, f: [], expected: 4 },
  });
  await work();
  const params = { id: job.id };
  expect(await ended(job.id)).toMatchObject({ done: 2, unchanged: 1, failed: 1, canUndo: true });
  const rows = (await call(finance, listJobRows, { params })).body.items;
  expect(rows.map(({ name, outcome }) => [name, outcome]).toSorted()).toEqual([
    ["TX-1", "done"],
    ["TX-2", "unchanged"],
    ["TX-3", "failed"],
    ["TX-4", "done"],
  ]);
  expect((await tagsOf()).map((tags) => tags.includes("late"))).toEqual([true, true, false, true]);

  // Someone else changes the last one, which is therefore left alone.
  const last = (await findAll()).at(-1);
  if (!last) throw new Error("There is no transaction.");
  await call(await signIn("finance"), changeTransaction, {
    params: { id: last.id },
    version: last.version,
    body: { note: "mine", tags: ["late", "checked"] },
  });
  const undoing = await call(finance, undoListJob, { params, body: {} });
  expect(undoing.body).toMatchObject({ action: "untag", undoes: job.id });
  await ended(undoing.body.id);
  const undone = await call(finance, listJobRows, { params: { id: undoing.body.id } });
  expect(undone.body.items.map(({ name, detail }) => [name, detail?.code]).toSorted()).toEqual([
    ["TX-1", undefined],
    ["TX-4", "job_row_changed"],
  ]);
  expect((await tagsOf()).map((tags) => tags.slice(0, 2))).toEqual([
    [],
    ["late"],
    ["tag-1", "tag-2"],
    ["late", "checked"],
  ]);
  const { body: after } = await call(finance, getTransaction, { params: { id: last.id } });
  expect(after.note).toBe("mine");
});

test("a viewer adds no tag, to one or to all", async () => {
  const viewer = await signIn("viewer");
  const [first] = await findAll();
  const single = await call(viewer, tagTransaction, {
    params: { id: first?.id ?? "" },
    version: first?.version ?? 1,
    body: { tag: "x" },
  });
  const all = await call(viewer, startBulkTransactions, {
    body: { action: "tag", tag: "x", f: [], expected: 4 },
  });
  expect([single.status, all.status]).toEqual([403, 403]);
});
