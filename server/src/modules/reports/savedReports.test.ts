import {
  deleteSavedReport,
  getReportFile,
  listSavedReports,
  restoreSavedReport,
  saveReport,
  scheduleReport,
} from "@purser/contract/reports/saved";
import { expect, test, vi } from "vitest";
import { stepsOf } from "#platform/jobs/work.ts";
import { moneyIn, monthly } from "../../moneyFaults/testing.ts";
import { testProduct } from "../../testing.ts";
import { sendReportsJob } from "./emails.ts";
import { updateFigures, workerPortion } from "./update.ts";

const product = await testProduct();
const { call, signIn, platform, owner } = product;
const money = await moneyIn(product);
const finance = await signIn("finance", "Fin");

const newReport = async (name: string) => {
  const search = { tab: "revenue", group: "country", range: "7d" } as const;
  const { status, text, body } = await call(finance, saveReport, { body: { name, search } });
  expect(status, text).toBe(201);
  return body;
};

type Mail = {
  to: string;
  subject: string;
  text: string;
  attachments?: { filename: string; content: Buffer }[];
};

const sendAt = async (at: string, refused: readonly string[] = []) => {
  const send = vi.fn(async (_mail: Mail): Promise<undefined> => undefined);
  const deliver = async (sent: Mail) => {
    if (refused.includes(sent.to)) throw new Error("Mailbox unavailable");
    await send(sent);
  };
  const mail = { send: deliver, close: () => undefined };
  const job = sendReportsJob(mail, "https://purser.example.com", async () => "UTC");
  const { queues, db, announcements } = platform;
  const step = stepsOf(queues, { db, announce: announcements.announce })(job.name);
  const done = job.run({ db, now: new Date(at), step, enqueue: queues.enqueueIn(db) }, {});
  // A job that fails is repeated.
  if (refused.length > 0) await expect(done).rejects.toThrow("Some reports weren't sent.");
  else await done;
  return send.mock.calls.map(([sent]) => sent);
};

test("saves a report for the team, once by name, and only its author or an owner deletes it", async () => {
  const { id } = await newReport("Countries");
  const viewer = await signIn("viewer");
  const { body } = await call(viewer, listSavedReports, {});
  expect(body.items).toMatchObject([
    { id, name: "Countries", createdBy: { name: "Fin" }, schedule: null },
  ]);
  const search = { tab: "mrr" } as const;
  const again = await call(finance, saveReport, { body: { name: "countries", search } });
  expect(again.status).toBe(409);
  expect((await call(viewer, deleteSavedReport, { params: { id } })).status).toBe(403);
  const first = await signIn("owner");
  expect((await call(first, deleteSavedReport, { params: { id } })).status).toBe(204);
  expect((await call(first, deleteSavedReport, { params: { id } })).status).toBe(404);
});

test("refuses support agents, who have no reports", async () => {
  const support = await signIn("support");
  expect((await call(support, listSavedReports, {})).status).toBe(403);
  expect((await call(support, getReportFile, { query: {} })).status).toBe(403);
});

test("emails a report at 8 on Mondays or the first day, once, with the same table as the download", async () => {
  const sold = await money.putOnSale([monthly(2000)]);
  await money.record(money.saleTo(await money.newCustomer(), sold));
  const step = () =>
    platform.db
      .transaction()
      .execute((transaction) => updateFigures(transaction, "UTC", workerPortion));
  while (await step());
  const { id } = await newReport("Weekly");
  const choose = (who: typeof finance, schedule: "weekly" | "monthly" | null) =>
    call(who, scheduleReport, { params: { id }, body: { schedule } });
  expect((await choose(finance, "weekly")).body).toMatchObject({ schedule: "weekly" });
  const [ada, former] = [await signIn("admin", "Ada"), await signIn("admin")];
  await choose(ada, "monthly");
  await choose(former, "monthly");
  await owner.query("update users set role = 'support' where id = $1", [former.id]);

  expect(await sendAt("2026-11-02T07:04:00Z"), "too early").toEqual([]);
  const [sent, ...others] = await sendAt("2026-11-02T08:04:00Z");
  expect(others).toEqual([]);
  expect(sent).toMatchObject({
    to: finance.email,
    subject: "Weekly: Oct 27, 2026 to Nov 2, 2026",
    attachments: [{ filename: "revenue-2026-10-27-2026-11-02.csv" }],
  });
  expect(sent?.text).toContain(
    "https://purser.example.com/reports?tab=revenue&group=country&range=7d",
  );
  expect(await sendAt("2026-11-02T08:04:00Z"), "already sent").toEqual([]);
  expect((await sendAt("2026-12-01T08:04:00Z")).map(({ to }) => to)).toEqual([ada.email]);

  // The next Monday, so that the sale of today is among the last 7 days.
  const today = new Date();
  const monday = new Date(today.getTime() + ((8 - today.getUTCDay()) % 7) * 86_400_000);
  const [now] = await sendAt(`${monday.toISOString().slice(0, 10)}T08:04:00Z`);
  const { filename = "", content } = now?.attachments?.[0] ?? {};
  const [from = "", until = ""] = filename.match(/\d{4}-\d\d-\d\d/g) ?? [];
  const query = { group: "country", range: "custom", from, until } as const;
  const file = await call(finance, getReportFile, { query });
  expect(content?.toString()).toBe(file.text);
  expect(file.text).toContain(",1,20,");
  await choose(finance, null);
  expect(await sendAt("2026-11-09T08:04:00Z")).toEqual([]);
});

test("a refused address keeps no report from others, and gets its own later on the same day", async () => {
  const { id } = await newReport("Refused");
  const [first, second] = [await signIn("admin"), await signIn("admin")];
  for (const who of [first, second])
    await call(who, scheduleReport, { params: { id }, body: { schedule: "weekly" } });
  const monday = "2027-01-04";
  expect((await sendAt(`${monday}T08:04:00Z`, [first.email])).map(({ to }) => to)).toEqual([
    second.email,
  ]);
  expect((await sendAt(`${monday}T11:04:00Z`)).map(({ to }) => to)).toEqual([first.email]);
  expect(await sendAt(`${monday}T23:04:00Z`)).toEqual([]);
  expect(await sendAt("2027-01-05T08:04:00Z")).toEqual([]);
});

test("a report that is chosen after 8 is sent on the next day that it is due", async () => {
  const { id } = await newReport("Chosen later");
  const reader = await signIn("admin");
  const today = new Date();
  const hour = `${today.getUTCHours()}`.padStart(2, "0");
  const day = today.toISOString().slice(0, 10);
  await call(reader, scheduleReport, { params: { id }, body: { schedule: "weekly" } });
  const { rows } = await owner.query(
    "select sent_on::text as day from report_emails where user_id = $1",
    [reader.id],
  );
  expect(rows).toEqual([{ day: hour < "08" ? null : day }]);
});

test("downloads the table in the user's language, harmless in a spreadsheet", async () => {
  const german = await signIn("finance");
  await owner.query("insert into preferences (user_id, value) values ($1, $2)", [
    german.id,
    JSON.stringify({ language: "de" }),
  ]);
  const { status, text } = await call(german, getReportFile, { query: { tab: "tax" } });
  expect(status, text).toBe(200);
  expect(text.split("\r\n")[0]).toBe(
    "\uFEFFSteuer,Zahlungen,Berechnet,Steuer,Erstattungen und Rückbuchungen,Nettoumsatz,Anteil,Vorheriger Zeitraum,Änderung,Währung",
  );
});

test("restores a deleted report with the emails of everyone who gets it", async () => {
  const { id } = await newReport("Deleted");
  const [ada, viewer] = [await signIn("admin", "Ada"), await signIn("viewer")];
  const choose = (who: typeof finance, schedule: "weekly" | "monthly") =>
    call(who, scheduleReport, { params: { id }, body: { schedule } });
  await choose(finance, "weekly");
  await choose(ada, "monthly");
  await choose(viewer, "weekly");
  const former = await signIn("admin");
  await choose(former, "weekly");
  await owner.query("update users set status = 'suspended' where id = $1", [former.id]);
  const listed = async (who: typeof finance) =>
    (await call(who, listSavedReports, {})).body.items.find((report) => report.id === id);
  expect(await listed(finance)).toMatchObject({ schedule: "weekly", otherReaders: 2 });

  expect((await call(finance, deleteSavedReport, { params: { id } })).status).toBe(204);
  expect(await listed(finance)).toBeUndefined();
  expect((await choose(ada, "weekly")).status).toBe(404);
  expect((await sendAt("2027-02-01T08:04:00Z")).map(({ to }) => to)).not.toContain(ada.email);
  expect((await call(viewer, restoreSavedReport, { params: { id } })).status).toBe(403);
  const restored = await call(finance, restoreSavedReport, { params: { id } });
  expect(restored.body).toMatchObject({ name: "Deleted", schedule: "weekly", otherReaders: 2 });
  expect(await listed(ada)).toMatchObject({ schedule: "monthly", otherReaders: 2 });
  expect((await call(finance, restoreSavedReport, { params: { id } })).status).toBe(404);

  // Its name is free while it is deleted.
  await call(finance, deleteSavedReport, { params: { id } });
  await newReport("deleted");
  expect((await call(finance, restoreSavedReport, { params: { id } })).status).toBe(409);
});

test("forgets deleted reports after 30 days", async () => {
  const [old, other] = [await newReport("Old"), await newReport("Other")];
  await call(finance, deleteSavedReport, { params: { id: old.id } });
  await owner.query(
    "update saved_reports set deleted_at = now() - interval '31 days' where id = $1",
    [old.id],
  );
  await call(finance, deleteSavedReport, { params: { id: other.id } });
  const again = (id: string) => call(finance, restoreSavedReport, { params: { id } });
  expect((await again(old.id)).status).toBe(404);
  expect((await again(other.id)).status).toBe(200);
});
