import { randomUUID } from "node:crypto";
import { listPersonalExports, requestPersonalExport } from "@purser/contract/users/privacy";
import { downloadListJob, getListJob } from "@purser/contract/workspace/listJobs";
import { listNotifications } from "@purser/contract/workspace/notifications";
import { createWebhookEndpoint, webhookTypes } from "@purser/contract/workspace/webhooks";
import { strFromU8, unzipSync } from "fflate";
import { expect, test, vi } from "vitest";
import { compose } from "../compose.ts";
import { shopIn } from "../modules/transactions/testing/testing.ts";
import { startReceiver } from "../modules/webhooks/testing/testing.ts";
import { patiently } from "../patience.testing.ts";
import { openMailSink } from "../platform/auth/testing.ts";
import { stepsOf } from "../platform/jobs/work.ts";
import { exportNotice } from "../platform/lists/exportNotice.ts";
import { listJobsJob } from "../platform/lists/jobs/job.ts";
import { createLog } from "../platform/log.ts";
import { sendDigestsJob } from "../platform/notifications/digest.ts";
import { notify } from "../platform/notifications/notifications.ts";
import { openCounts } from "../platform/system/counts.ts";
import { atEnd } from "../testing.ts";
import { bothModes } from "./bothModes.testing.ts";
import { openMailOf } from "./jobs.ts";
import { marksOf, without } from "./separation.testing.ts";

// Both modes with their workers, one receiver of webhooks and one mail server.
const receiver = await startReceiver();
const sink = await openMailSink();
const { live, test: testMode } = await bothModes({
  works: true,
  environment: {
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
    WEBHOOK_ALLOWED_PORTS: `443,${receiver.port}`,
    SMTP_URL: sink.url,
  },
});
const log = createLog("error", { write: (line) => void process.stderr.write(line) });
const worker = await compose(live.config, { name: "worker", works: true, log });
atEnd(worker.close);
await worker.work();

const admin = await live.signIn("owner", "Ann Admin");
await testMode.platform.testMode?.copies.refresh();
const [liveShop, testShop] = [await shopIn(live), await shopIn(testMode)];
await testMode.platform.testMode?.copies.refresh();

const sellIn = async (shop: typeof liveShop) => {
  const pack = await shop.sellPackage();
  return shop.sell(shop.saleOf(pack.id, { email: `${randomUUID()}@example.com` }));
};

const cases = [
  {
    name: "live",
    own: live,
    other: testMode,
    shop: liveShop,
    place: "live",
    api: "/api",
    mark: "",
  },
  {
    name: "test mode",
    own: testMode,
    other: live,
    shop: testShop,
    place: "test",
    api: "/api/test",
    mark: "[Test mode] ",
  },
];

const soon = { timeout: patiently(30_000), interval: 50 };

/** What only the other mode has. */
const foreignTo = async ({ own, other }: Pick<(typeof cases)[number], "own" | "other">) =>
  without(await marksOf(other.owner), await marksOf(own.owner));

const foreignIn = (text: string, foreign: Set<string>) =>
  [...foreign].filter((mark) => mark.length > 5 && text.includes(mark));

const arrivedAt = (place: string) =>
  receiver.arrived.filter(({ path }) => path === `/hooks/${place}`);

test("webhooks of a mode say only what happened there, and which mode it was", async () => {
  for (const { own, place } of cases) {
    const body = { url: `${receiver.url}/${place}`, types: [...webhookTypes] };
    const made = await own.call(admin, createWebhookEndpoint, { body });
    expect(made.status, made.text).toBe(201);
  }
  const sold = [await sellIn(liveShop), await sellIn(testShop)];
  for (const [n, one] of cases.entries()) {
    const { place } = one;
    const number = String(sold[n]?.number);
    await vi.waitFor(
      () => expect(arrivedAt(place).some(({ body }) => body.includes(number))).toBe(true),
      soon,
    );
    const isTest = place === "test";
    const foreign = await foreignTo(one);
    for (const { body, headers } of arrivedAt(place)) {
      expect(foreignIn(body, foreign)).toEqual([]);
      expect([JSON.parse(body).test === true, headers["purser-mode"] === "test"]).toEqual([
        isTest,
        isTest,
      ]);
    }
  }
});

const addExportJob = `
  with file as (
    insert into exports (list, format, query) values ('transactions', 'jsonl', '{}') returning id
  )
  insert into list_jobs (user_id, list, action, query, started_at, export_id)
  select $1, 'transactions', 'export', $2, $3, id from file returning id`;

test.each(cases)("the file of an export job of $name has only its rows", async (one) => {
  const { own } = one;
  const { id: number } = await sellIn(one.shop);
  const query = { f: [], format: "jsonl", columns: ["id", "number", "reference"] };
  const { db, queues, now } = own.platform;
  const { rows } = await own.owner.query<{ id: string }>(addExportJob, [
    admin.id,
    query,
    new Date(now().getTime() + 1000),
  ]);
  const params = { id: rows[0]?.id ?? "" };
  await queues.enqueueIn(db)(listJobsJob, {});
  await vi.waitFor(async () => {
    const { body } = await own.call(admin, getListJob, { params });
    expect(body).toMatchObject({ status: "finished" });
  }, soon);
  const { text } = await own.call(admin, downloadListJob, { params });
  expect(text).toContain(number);
  expect(foreignIn(text, await foreignTo(one))).toEqual([]);
  const missing = await one.other.call(admin, downloadListJob, { params });
  expect(missing.status).toBe(404);
});

test.each(cases)("the personal data of a customer of $name is only what it has", async (one) => {
  const { own, other } = one;
  const { user } = await sellIn(one.shop);
  const params = { id: user.id };
  const started = await own.call(admin, requestPersonalExport, { params, body: {} });
  expect(started.status, started.text).toBe(202);
  const exportId = await vi.waitFor(async () => {
    const [newest] = (await own.call(admin, listPersonalExports, { params })).body.items;
    expect(newest?.readyAt).not.toBeNull();
    return newest?.id ?? "";
  }, soon);
  const url = `${one.api}/users/${user.id}/exports/${exportId}`;
  const { rawPayload } = await own.app.inject({ url, headers: { cookie: admin.cookie } });
  const files = Object.values(unzipSync(rawPayload)).map((file) => strFromU8(file));
  expect(files.join()).toContain(user.id);
  expect(foreignIn(files.join(), await foreignTo(one))).toEqual([]);
  const missing = await other.call(admin, requestPersonalExport, { params, body: {} });
  expect(missing.status).toBe(404);
});

test.each(cases)(
  "a job of $name runs there, and its email says so",
  async ({ own, name, mark }) => {
    const list = `list of ${name}`;
    const { rows } = await own.owner.query<{ id: string }>(
      "insert into exports (list, format, query, rows) values ($1, 'csv', '{}', 20000) returning id",
      [list],
    );
    const id = rows[0]?.id ?? "";
    const { db, queues } = own.platform;
    await queues.enqueueIn(db)(exportNotice, { id });
    await vi.waitFor(
      () => expect(sink.mails.some(({ text }) => text.includes(list))).toBe(true),
      soon,
    );
    for (const mail of sink.mails.filter(({ text }) => text.includes(list)))
      expect(mail.subject.startsWith("[Test mode] ")).toBe(mark !== "");
  },
);

test("notifications are shown, and sent as a digest, by the mode that they are from", async () => {
  const reader = await live.signIn("admin", "Dana");
  await live.owner.query("insert into preferences (user_id, value) values ($1, $2)", [
    reader.id,
    JSON.stringify({ digest: "daily", timeZone: "Asia/Tokyo", language: "de" }),
  ]);
  await testMode.platform.testMode?.prepare();
  for (const { own, name } of cases) {
    const message = { code: "none", text: `Of ${name}` };
    await notify(own.platform.db, { to: [reader.id], kind: "job", message, path: "/" });
    const { body } = await own.call(reader, listNotifications);
    expect(body.items.map((one) => one.message.text)).toEqual([`Of ${name}`]);
  }
  for (const { own, name, place, mark } of cases) {
    const mail = openMailOf(own.config, place === "test", openCounts());
    const job = sendDigestsJob(mail, "https://purser.example.com", async () => "UTC");
    const { queues, db, announcements } = own.platform;
    const step = stepsOf(queues, { db, announce: announcements.announce })(job.name);
    // 8 in the morning in Tokyo.
    const now = new Date("2026-11-02T23:02:00Z");
    await job.run({ db, now, step, enqueue: queues.enqueueIn(db) }, {});
    mail.close();
    const sent = sink.mails.filter(({ to, text }) => to === reader.email && text.includes("Of "));
    expect(sent.map(({ subject }) => subject)).toContain(`${mark}1 ungelesene Benachrichtigung`);
    expect(sent.at(-1)?.text).toMatch(new RegExp(`^- Of ${name}\\r$`, "m"));
    expect(sent).toHaveLength(place === "live" ? 1 : 2);
  }
});
