import { expect, test, vi } from "vitest";
import { testProduct } from "#testing.ts";
import { stepsOf } from "../jobs/work.ts";
import { sendDigestsJob } from "./digest.ts";
import { notify } from "./notifications.ts";

const { platform, owner, signIn } = await testProduct();

const subscribe = (id: string, value: object) =>
  owner.query("insert into preferences (user_id, value) values ($1, $2)", [
    id,
    JSON.stringify(value),
  ]);

const tell = (to: string, text: string) =>
  notify(platform.db, { to: [to], kind: "job", message: { code: "none", text }, path: "/" });

const sendAt = async (hour: string, refuses = (_to: string) => false) => {
  const send = vi.fn(async ({ to }: { to: string; subject: string; text: string }) => {
    if (refuses(to)) throw new Error("refused");
  });
  const mail = { send, close: () => undefined };
  const job = sendDigestsJob(mail, "https://purser.example.com", async () => "UTC");
  const { queues, db, announcements } = platform;
  const step = stepsOf(queues, { db, announce: announcements.announce })(job.name);
  const now = new Date(`2026-11-02T${hour}:02:00Z`);
  await job.run({ db, now, step, enqueue: queues.enqueueIn(db) }, {});
  return send.mock.calls.map(([sent]) => sent);
};

test("emails unread notifications once, at 8 in the reader's time zone, if turned on", async () => {
  const [daily, quiet, inTokyo] = [
    await signIn("admin", "Dana"),
    await signIn("admin"),
    await signIn("support"),
  ];
  await subscribe(daily.id, { digest: "daily" });
  await subscribe(inTokyo.id, { digest: "daily", timeZone: "Asia/Tokyo" });
  for (const { id } of [daily, quiet, inTokyo]) await tell(id, "A file is ready");
  await tell(daily.id, "Another file is ready");

  expect(await sendAt("07")).toEqual([]);
  const [sent, ...others] = await sendAt("08");
  expect(others).toEqual([]);
  expect(sent).toMatchObject({ to: daily.email, subject: "2 unread notifications" });
  expect(sent?.text).toContain("Hi Dana,\n\n- Another file is ready\n- A file is ready\n");
  expect(await sendAt("08"), "already emailed").toEqual([]);
  expect((await sendAt("23")).map(({ to }) => to)).toEqual([inTokyo.email]);
});

test("sends nothing about what was read, or to a suspended team member", async () => {
  const [reader, gone] = [await signIn("admin"), await signIn("admin")];
  for (const { id } of [reader, gone]) {
    await subscribe(id, { digest: "daily" });
    await tell(id, "Old");
  }
  await owner.query("update notifications set read_at = now() where user_id = $1", [reader.id]);
  await owner.query("update users set status = 'suspended' where id = $1", [gone.id]);
  expect(await sendAt("08")).toEqual([]);
});

test("an address that the mail server refuses keeps the email from no one else, and gets it later on that day", async () => {
  const [refused, other] = [await signIn("admin"), await signIn("admin")];
  for (const { id } of [refused, other]) {
    await subscribe(id, { digest: "daily" });
    await tell(id, "Kept");
  }
  await owner.query("update notifications set created_at = '2026-11-02T07:00:00Z'");
  const failing = sendAt("08", (to) => to === refused.email);
  await expect(failing).rejects.toThrow("Some emails weren't sent.");
  await tell(refused.id, "New, for the next day");
  await tell(other.id, "New, for the next day");
  const [late, ...others] = await sendAt("09");
  expect(others).toEqual([]);
  expect(late).toMatchObject({ to: refused.email, subject: "1 unread notification" });
  expect((await sendAt("10")).map(({ to }) => to)).toEqual([]);
});
