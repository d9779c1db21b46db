import type { ListJob } from "@purser/contract/http/listJobs";
import {
  exportUsers,
  listUsers,
  previewBulkUsers,
  startBulkUsers,
  startUsersExport,
} from "@purser/contract/users/endpoints";
import { listActions } from "@purser/contract/workspace/history";
import {
  dismissListJob,
  downloadListJob,
  exportListJobRows,
  getListJob,
  listJobRows,
  listJobs,
  stopListJob,
  undoListJob,
} from "@purser/contract/workspace/listJobs";
import { listNotifications } from "@purser/contract/workspace/notifications";
import { beforeEach, expect, test, vi } from "vitest";
import { listJobsJob } from "#platform/lists/jobs/job.ts";
import { patiently } from "../../../patience.testing.ts";
import { isNightly } from "../../../runs.testing.ts";
import { loadRows, testProduct } from "../../../testing.ts";
import { workersOf } from "../../packages/testing/workers.testing.ts";

const product = await testProduct();
const { call, signIn, owner } = product;
const { startWorker, work } = workersOf(product);
const admin = await signIn("admin");
const patience = { timeout: patiently(60_000), interval: 50 };

const fill = (count: number) =>
  loadRows(
    owner,
    `insert into users (email, name, status)
     select 'k' || n || '@example.com', 'Customer ' || n, case when n % 10 = 0 then 'suspended' else 'active' end
     from generate_series(1, $1) n`,
    [count],
  );

beforeEach(async () => {
  await owner.query("delete from list_jobs");
  await owner.query("delete from users where email like 'k%@example.com' and role is null");
});

/** Otherwise the next worker waits for the heartbeat of the killed one. */
const askAgain = () => product.platform.queues.enqueueIn(product.platform.db)(listJobsJob, {});

const customers = { f: "email:starts:k" };

const start = async (action: "suspend" | "restore", expected: number, f = customers.f) =>
  call(admin, startBulkUsers, { body: { action, f, expected, reason: "Fraud wave" } });

const ended = async (id: string) => {
  await vi.waitFor(async () => {
    const { body } = await call(admin, getListJob, { params: { id } });
    expect(body.status).not.toBe("running");
  }, patience);
  return (await call(admin, getListJob, { params: { id } })).body as unknown as ListJob;
};

const statuses = async () => {
  const { rows } = await owner.query(
    "select status, count(*)::int as n from users where email like 'k%@example.com' and role is null group by 1 order by 1",
  );
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
};

test("previews a bulk action in true numbers", async () => {
  await fill(250);
  const query = { ...customers, action: "suspend" as const };
  const { body } = await call(admin, previewBulkUsers, { query });
  expect(body).toMatchObject({
    total: 250,
    changed: 225,
    refused: [{ detail: { code: "customer_already_suspended" }, rows: 25 }],
    consequences: [
      { what: "packages", amount: 0 },
      { what: "renewing", amount: 0 },
    ],
  });
});

test("LS4 refuses a selection whose number of rows has changed, and changes nothing", async () => {
  await fill(120);
  await owner.query(
    "insert into users (email, name, status) values ('knew@example.com', 'New', 'active')",
  );
  const { status, body } = await start("suspend", 120);
  expect([status, body["reason"], body["parameters"]]).toEqual([
    409,
    "selection_changed",
    { rows: 121, expected: 120 },
  ]);
  expect(await statuses()).toEqual({ active: 109, suspended: 12 });
  expect((await call(admin, listJobs, { query: { list: "users" } })).body.items).toEqual([]);
});

test("changes every matching row once, tells the results and undoes exactly its changes", async () => {
  await fill(250);
  await work();
  const { status, body } = await start("suspend", 250);
  expect(status).toBe(202);
  const job = await ended(body.id);
  expect(job).toMatchObject({
    status: "finished",
    total: 250,
    done: 225,
    unchanged: 25,
    failed: 0,
    canUndo: true,
  });
  expect(await statuses()).toEqual({ suspended: 250 });

  const failed = await call(admin, listJobRows, {
    params: { id: job.id },
    query: { outcome: "unchanged" },
  });
  expect(failed.body.items).toHaveLength(25);
  expect(failed.body.items.map(({ name, detail }) => [name, detail?.code])).toContainEqual([
    "Customer 10",
    "customer_already_suspended",
  ]);
  const csv = await call(admin, exportListJobRows, {
    params: { id: job.id },
    query: { format: "csv" },
  });
  expect(csv.text.split("\r\n")).toHaveLength(252);
  expect(csv.text).toContain("Customer 10,unchanged,This customer is already suspended.");

  // One action in the history, and a notification in the bell.
  const { body: history } = await call(admin, listActions, { query: {} });
  expect(history.items.filter(({ requestId }) => requestId === job.id)).toHaveLength(1);
  const { body: bell } = await call(admin, listNotifications);
  expect(bell.items[0]).toMatchObject({
    kind: "job",
    message: { code: "list_job_finished" },
    path: "/users",
  });

  // One of them was changed since, so it stays.
  await owner.query("update users set name = 'Renamed' where email = 'k1@example.com'");
  const undo = await call(admin, undoListJob, { params: { id: job.id }, body: {} });
  expect(await ended(undo.body.id)).toMatchObject({ total: 225, done: 224, failed: 1 });
  expect(await statuses()).toEqual({ active: 224, suspended: 26 });
  const again = await call(admin, undoListJob, { params: { id: job.id }, body: {} });
  expect([again.status, again.body["reason"]]).toEqual([409, "list_job_not_undoable"]);
});

test("goes on after a worker was killed in the middle, and changes nothing twice", async () => {
  await fill(3000);
  const { body } = await start("suspend", 3000);
  const first = await startWorker();
  await vi.waitFor(async () => {
    const { rows } = await owner.query("select position from list_jobs where id = $1", [body.id]);
    expect(rows[0].position).toBeGreaterThan(300);
  }, patience);
  await first.kill();
  const { rows } = await owner.query("select position from list_jobs where id = $1", [body.id]);
  expect(rows[0].position).toBeLessThan(3000);
  await askAgain();
  await Promise.all([startWorker(), startWorker()]);
  const job = await ended(body.id);
  expect(job).toMatchObject({ status: "finished", done: 2700, unchanged: 300, failed: 0 });
  const entries = await owner.query(
    "select count(*)::int as n, count(distinct record_id)::int as records from audit_entries where request_id = $1",
    [body.id],
  );
  expect(entries.rows[0]).toEqual({ n: 2700, records: 2700 });
});

test("stops on request, and if the starter loses the permission", async () => {
  await fill(300);
  const { id } = (await start("suspend", 300)).body;
  const stopped = await call(admin, stopListJob, { params: { id }, body: {} });
  expect(stopped.body).toMatchObject({ status: "stopped", done: 0, canUndo: false });
  const support = await signIn("support");
  const started = await call(support, startBulkUsers, {
    body: { action: "suspend", ...customers, expected: 300 },
  });
  await owner.query("update users set role = 'viewer' where id = $1", [support.id]);
  await work();
  await vi.waitFor(async () => {
    const { rows } = await owner.query("select status, done, error from list_jobs where id = $1", [
      started.body.id,
    ]);
    expect(rows[0]).toMatchObject({
      status: "failed",
      done: 0,
      error: { code: "list_job_forbidden" },
    });
  }, patience);
  expect(await statuses()).toEqual({ active: 270, suspended: 30 });
});

test("an undo that was stopped leaves the rest to another one", async () => {
  await fill(1000);
  await work();
  const job = await ended((await start("suspend", 1000)).body.id);
  const params = { id: job.id };
  const { id } = (await call(admin, undoListJob, { params, body: {} })).body;
  await vi.waitFor(async () => {
    const { body } = await call(admin, getListJob, { params: { id } });
    expect(body.done).toBeGreaterThan(0);
  }, patience);
  const stopped = (await call(admin, stopListJob, { params: { id }, body: {} })).body;
  expect(stopped).toMatchObject({ status: "stopped", undoes: job.id });
  const { items } = (await call(admin, listJobs, { query: { list: "users" } })).body;
  expect(items.find((one) => one.id === job.id)).toMatchObject({ canUndo: true });

  const rest = (await call(admin, undoListJob, { params, body: {} })).body;
  expect(rest, JSON.stringify(rest)).toMatchObject({ total: 900 - stopped.done });
  expect(await ended(rest.id)).toMatchObject({ done: 900 - stopped.done, failed: 0 });
  expect(await statuses()).toEqual({ active: 900, suspended: 100 });
  const again = await call(admin, undoListJob, { params, body: {} });
  expect(again.body["reason"]).toBe("list_job_not_undoable");
});

test("shows a job only to its starter, until it is dismissed", async () => {
  await fill(5);
  const { id } = (await start("suspend", 5)).body;
  const other = await signIn("admin");
  for (const endpoint of [getListJob, listJobRows, downloadListJob])
    expect((await call(other, endpoint, { params: { id } })).status).toBe(404);
  const file = { params: { id }, query: { format: "csv" as const } };
  expect((await call(other, exportListJobRows, file)).status).toBe(404);
  expect((await call(other, stopListJob, { params: { id }, body: {} })).status).toBe(404);
  expect((await call(admin, dismissListJob, { params: { id }, body: {} })).status).toBe(409);
  await call(admin, stopListJob, { params: { id }, body: {} });
  expect((await call(admin, dismissListJob, { params: { id }, body: {} })).status).toBe(204);
  expect((await call(admin, listJobs, { query: { list: "users" } })).body.items).toEqual([]);
});

test("refuses roles that can't change or export", async () => {
  const viewer = await signIn("viewer");
  const body = { action: "suspend" as const, ...customers, expected: 1 };
  expect((await call(viewer, startBulkUsers, { body })).status).toBe(403);
  const file = { format: "csv" as const, columns: "email" };
  for (const role of ["viewer", "support"] as const)
    expect((await call(await signIn(role), startUsersExport, { body: file })).status).toBe(403);
});

// Nightly, because a list needs more than 100,000 rows for a job. The gate kills a job that writes rows above.
test.runIf(isNightly)(
  "exports more than 100,000 rows with a job that survives a kill, exactly like a download",
  async () => {
    const file = { format: "csv" as const, columns: "email,name,status,createdAt", ...customers };
    await fill(50);
    const small = await call(admin, startUsersExport, { body: file });
    expect(small.body).toEqual({ job: null });
    await loadRows(
      owner,
      `insert into users (email, name, status)
     select 'kx' || n || '@example.com', '=Customer, ' || n, 'active' from generate_series(1, 100000) n`,
    );
    const { status, body } = await call(admin, startUsersExport, { body: file });
    expect(status).toBe(200);
    const id = body.job?.id ?? "";
    const first = await startWorker();
    const written = async () =>
      (await owner.query("select done from list_jobs where id = $1", [id])).rows[0].done;
    await vi.waitFor(async () => expect(await written()).toBeGreaterThan(4000), patience);
    await first.kill();
    expect(await written()).toBeLessThan(100_050);
    const early = await call(admin, downloadListJob, { params: { id } });
    expect([early.status, early.body["reason"]]).toEqual([409, "list_job_no_file"]);
    await askAgain();
    await startWorker();
    expect(await ended(id)).toMatchObject({ status: "finished", done: 100_050, canUndo: false });
    const answer = await call(admin, downloadListJob, { params: { id } });
    const whole = await call(admin, exportUsers, { query: file });
    expect(answer.text === whole.text).toBe(true);
    expect(Number(answer.headers["content-length"])).toBe(Buffer.byteLength(answer.text));
    expect(answer.headers["content-disposition"]).toMatch(/^attachment; filename="users-.*\.csv"$/);
    const log = await owner.query(
      "select list, rows from exports where list = 'users' order by id",
    );
    expect(log.rows[0]).toEqual({ list: "users", rows: 100_050 });
    const { body: bell } = await call(admin, listNotifications);
    expect(bell.items[0]).toMatchObject({
      kind: "file",
      message: { code: "list_job_export_ready" },
    });
    const { body: page } = await call(admin, listUsers, {
      query: { ...customers, count: "exact" },
    });
    expect(page.total).toEqual({ count: 100_050, kind: "exact" });
  },
  patiently(120_000),
);
