import { randomUUID } from "node:crypto";
import { getWebhookDelivery, listWebhookDeliveries } from "@purser/contract/workspace/webhooks";
import { beforeEach, expect, test } from "vitest";
import { monthFromNow, partitionsRead, rowsByPartition } from "#platform/db/partitions.testing.ts";
import { createPartitions } from "#platform/db/partitions.ts";
import { testProduct } from "../../testing.ts";
import { forgetWebhooks } from "./jobs.ts";
import { hooksIn } from "./testing/testing.ts";

// The first partition ends with the next month, or with the one after it at the end of a month. So months from two
// ahead have partitions of their own.

const product = await testProduct();
const { call, owner, config } = product;
const { db } = product.platform;
const { admin, newEndpoint } = await hooksIn(product);
const endpoint = await newEndpoint(`https://93.184.216.34/${randomUUID()}`);
const user = randomUUID();
let seq = 0;

const addDelivery = async (at: Date, state = "delivered") => {
  seq += 1;
  const { rows } = await owner.query<{ id: string; eventId: string }>(
    `with event as (
       insert into webhook_events (id, type, user_id, seq, data, created_at)
       values (uuid_v7($1), 'entitlements.changed', $2, $3, '{}', $1) returning id
     )
     insert into webhook_deliveries (id, endpoint_id, event_id, line, seq, type, user_id, state, created_at,
       delivered_at)
     select uuid_v7($1), $4, id, $2, $3, 'entitlements.changed', $2, $5, $1,
       case $5 when 'delivered' then $1::timestamptz end
     from event returning id, event_id as "eventId"`,
    [at, user, seq, endpoint.id, state],
  );
  return rows[0] ?? { id: "", eventId: "" };
};

const forget = async (now: Date) => {
  const step = <T>(work: (given: typeof db, enqueue: never) => Promise<T>) =>
    db.transaction().execute((transaction) => work(transaction, undefined as never));
  await forgetWebhooks(config).run({ db, now, step, enqueue: undefined as never } as never, {});
};

beforeEach(async () => {
  await owner.query("delete from webhook_deliveries; delete from webhook_events");
});

test("rows of different months are in different partitions", async () => {
  const [second, third] = [monthFromNow(2), monthFromNow(3)];
  await addDelivery(monthFromNow(-20).at);
  await addDelivery(new Date());
  await addDelivery(second.at);
  await addDelivery(third.at);
  for (const table of ["webhook_deliveries", "webhook_events"])
    expect(await rowsByPartition(owner, table)).toEqual({
      first: 2,
      [second.name]: 1,
      [third.name]: 1,
    });
});

test("the list pages through all partitions in the order of time", async () => {
  const made: string[] = [];
  for (const months of [-3, 0, 2, 3].flatMap((one) => Array<number>(6).fill(one)))
    made.push((await addDelivery(new Date(+monthFromNow(months).at + made.length))).id);
  const pageAfter = async (after?: string) =>
    (await call(admin, listWebhookDeliveries, { query: { size: "10", ...(after && { after }) } }))
      .body;
  const seen: string[] = [];
  for (let page = await pageAfter(); ; page = await pageAfter(page.next ?? "")) {
    seen.push(...page.items.map(({ id }) => id));
    if (!page.next) break;
  }
  expect(seen).toEqual(made.toReversed());
  const filtered = await call(admin, listWebhookDeliveries, {
    query: { size: "25", f: [`createdAt:after:${monthFromNow(1).at.toISOString()}`] },
  });
  expect(filtered.body.items).toHaveLength(12);
});

test("an event is delivered to an endpoint once", async () => {
  const { id, eventId } = await addDelivery(monthFromNow(2).at);
  const again = `insert into webhook_deliveries (id, endpoint_id, event_id, line, seq, type, state)
    select uuid_v7(uuid_v7_time(id)), endpoint_id, event_id, line, seq, type, 'failed'
    from webhook_deliveries where id = $1 and event_id = $2`;
  await expect(owner.query(again, [id, eventId])).rejects.toThrow(/duplicate key/);
});

test("statements read only the partitions that they need", async () => {
  const [second, third] = [monthFromNow(2), monthFromNow(3)];
  await addDelivery(monthFromNow(-3).at);
  const { id, eventId } = await addDelivery(second.at);
  for (let n = 0; n < 3; n += 1) await addDelivery(third.at);
  const read = (text: string, values?: unknown[]) =>
    partitionsRead(owner, "webhook_deliveries", text, values);
  expect(await read("select * from webhook_deliveries where id = $1", [id])).toEqual([second.name]);
  expect(await read("update webhook_deliveries set attempts = 2 where id = $1", [id])).toEqual([
    second.name,
  ]);
  // The newest first. Partitions of later months are empty.
  expect(await read("select * from webhook_deliveries r order by r.id desc limit 3")).toEqual([
    third.name,
    "later",
  ]);
  expect(
    await read("select * from webhook_deliveries r where r.id < $1 order by r.id desc limit 1", [
      id,
    ]),
  ).not.toContain(third.name);
  expect(
    await partitionsRead(owner, "webhook_events", "select * from webhook_events where id = $1", [
      eventId,
    ]),
  ).toEqual([second.name]);
  const details = await call(admin, getWebhookDelivery, { params: { id } });
  expect(details.body).toMatchObject({ id, eventId });
});

const partitionNames = async (table: string) =>
  (
    await owner.query("select part::text as name from partitions_of($1::regclass)", [table])
  ).rows.map(({ name }) => name);

test("the application can't use partitions directly, nor create, alter or drop tables", async () => {
  const { pool } = product.platform;
  for (const statement of [
    "select from partitions.webhook_deliveries_first",
    "create table partitions.mine ()",
    "drop table partitions.webhook_deliveries_first",
    "alter table webhook_deliveries detach partition partitions.webhook_deliveries_first",
    "select insert_partitions('apps', '{apps_2}', '{2}')",
    "select attach_partition('apps', 'a', '1', '2')",
    "select start_partitions('apps')",
    "select attach_first('apps')",
    "select bound_table('apps', '1')",
    "select add_months('webhook_events')",
  ])
    await expect(pool.query(statement), statement).rejects.toThrow(
      /permission denied|must be owner/,
    );
});

test("old months are dropped whole, except what still waits and its event", async () => {
  const [second, third] = [monthFromNow(2), monthFromNow(3)];
  await addDelivery(new Date());
  const waiting = await addDelivery(second.at, "waiting");
  await addDelivery(second.at);
  await addDelivery(third.at);
  await forget(new Date(+monthFromNow(4).at + config.WEBHOOK_DELIVERY_DAYS * 86_400_000));
  for (const table of ["webhook_deliveries", "webhook_events"]) {
    expect(await rowsByPartition(owner, table)).toEqual({ [second.name]: 1 });
    const names = await partitionNames(table);
    expect(names).not.toContain(`partitions.${table}_${third.name}`);
  }
  expect((await call(admin, getWebhookDelivery, { params: { id: waiting.id } })).status).toBe(200);
  // An id of a dropped month is possible all the same.
  await addDelivery(monthFromNow(-3).at);
  await addDelivery(second.at);
  expect(await rowsByPartition(owner, "webhook_deliveries")).toEqual({
    first: 1,
    [second.name]: 2,
  });
});

test("a missing partition fails no insert, and is created around the rows", async () => {
  // As if no worker had run for months.
  const { rows } = await owner.query(
    "select part::text as name from partitions_of('webhook_deliveries') where lower is not null",
  );
  const { upper } = (
    await owner.query("select upper from partitions_of('webhook_deliveries') where lower is null")
  ).rows[0];
  await owner.query(`
    drop table ${rows.map(({ name }) => name).join(", ")};
    create table partitions.webhook_deliveries_later (like partitions.webhook_deliveries_first including all);
    alter table webhook_deliveries attach partition partitions.webhook_deliveries_later
      for values from ('${upper}') to (maxvalue)`);
  await addDelivery(monthFromNow(7).at);
  const { id } = await addDelivery(monthFromNow(7).at);
  expect(await rowsByPartition(owner, "webhook_deliveries")).toEqual({ later: 2 });
  expect(await createPartitions(db)).toBe(1);
  const { name, ...others } = (
    await owner.query(
      "select part::text as name, upper = uuid_v7_from($2)::text as \"isWhole\" from partitions_of('webhook_deliveries') p where uuid_v7_time(upper::uuid) > $1",
      [monthFromNow(7).at, new Date(+monthFromNow(8).at - 43_200_000)],
    )
  ).rows[0];
  expect(others).toEqual({ isWhole: true });
  expect(await rowsByPartition(owner, "webhook_deliveries")).toEqual({
    [name.replace("partitions.webhook_deliveries_", "")]: 2,
  });
  expect((await call(admin, getWebhookDelivery, { params: { id } })).status).toBe(200);
  await addDelivery(monthFromNow(8).at);
  expect(await rowsByPartition(owner, "webhook_deliveries")).toMatchObject({ later: 1 });
  expect(await createPartitions(db)).toBe(0);
});
