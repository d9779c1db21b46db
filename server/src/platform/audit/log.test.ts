import { changeApp, createApp, deleteApp } from "@purser/contract/apps/endpoints";
import {
  auditedEntities,
  exportAudit,
  getAuditEntry,
  getVerification,
  listAudit,
} from "@purser/contract/workspace/audit";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { sealAudit } from "./verification/seals.ts";
import { beginVerifying, recordVerification, verifyOn } from "./verification/verify.ts";

const { call, signIn, owner, platform } = await testProduct();
const admin = await signIn("admin", "Ada Admin");
const other = await signIn("owner", "Olga Other");

const newApp = async (code: string, as = admin) =>
  (await call(as, createApp, { body: { code, name: `App ${code}` } })).body;

const find = async (...f: string[]) =>
  (await call(admin, listAudit, { query: { f, size: "100" } })).body.items;

test("offers every audited table as a filter", async () => {
  const { rows } = await owner.query(
    `select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where t.tgname = 'audit_insert' order by 1`,
  );
  const known: readonly string[] = auditedEntities;
  expect(rows.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
});

test("lists entries newest first with actor, address, reason and changes", async () => {
  const { id } = await newApp("told");
  const changed = await call(admin, changeApp, {
    params: { id },
    version: 1,
    body: { code: "told", name: "Told again", reason: "A typing mistake." },
    address: "203.0.113.9",
  });
  const { body } = await call(other, listAudit);
  expect(body.items[0]).toMatchObject({
    entity: "apps",
    recordId: id,
    label: "Told again",
    action: "update",
    actor: { kind: "user", id: admin.id, name: "Ada Admin" },
    address: "203.0.113.9",
    requestId: changed.headers["x-request-id"],
    reason: "A typing mistake.",
    changes: [{ field: "name", before: "App told", after: "Told again" }],
    canRevert: true,
  });
  const one = await call(other, getAuditEntry, { params: { id: body.items[0]?.id ?? "" } });
  expect(one.body).toEqual(body.items[0]);
  expect((await call(other, getAuditEntry, { params: { id: "999999999" } })).status).toBe(404);
});

test("T1 requires the permission to read or export the log", async () => {
  for (const role of ["catalog", "finance", "support", "viewer"] as const) {
    const person = await signIn(role);
    expect((await call(person, listAudit)).status).toBe(403);
    expect((await call(person, getVerification)).status).toBe(403);
    const file = { format: "csv" as const, columns: "id" };
    expect((await call(person, exportAudit, { query: file })).status).toBe(403);
  }
});

test("filters by actor, kind, entity, action, record, request, reason and time", async () => {
  const { id } = await newApp("filtered", other);
  const removed = await call(other, deleteApp, { params: { id }, version: 1 });
  const request = String(removed.headers["x-request-id"]);
  const all = await find(`record:any:${id}`);
  expect(all.map(({ action }) => action)).toEqual(["delete", "insert"]);
  expect(await find(`record:any:${id}`, "action:any:delete")).toEqual([all[0]]);
  expect(await find(`request:is:${request}`)).toEqual([all[0]]);
  expect(await find(`actor:any:${other.id}`, "entity:any:apps")).toEqual(all);
  expect(await find(`record:any:${id}`, "actorKind:any:system")).toEqual([]);
  expect(await find("reason:contains:TYPING")).toMatchObject([{ label: "Told again" }]);
  expect(await find(`record:any:${id}`, "at:last:1")).toEqual(all);
  expect(await find(`record:any:${id}`, "at:before:2020-01-01")).toEqual([]);
  const search = async (q: string) => (await call(admin, listAudit, { query: { q } })).body.items;
  expect(await search(request)).toEqual([all[0]]);
  expect(await search(id)).toEqual(all);
  expect(await search(all[0]?.id ?? "")).toEqual([all[0]]);
  expect(await search("typing mistake")).toMatchObject([{ label: "Told again" }]);
});

test("pages without gaps or repeats while entries are added, also by time", async () => {
  await owner.query(
    "insert into apps (code, name) select 'paged-' || n, 'P' from generate_series(1, 120) n",
  );
  for (const f of [[], ["at:last:2"]]) {
    const ids: number[] = [];
    let after: string | undefined;
    for (let page = 0; page < 4; page += 1) {
      const query = { f, size: "25", ...(after && { after }) };
      const { body } = await call(admin, listAudit, { query });
      ids.push(...body.items.map(({ id }) => Number(id)));
      after = body.next ?? undefined;
      await newApp(`meanwhile-${page}-${f.length}`);
    }
    const first = ids[0] ?? 0;
    expect(ids).toEqual(Array.from({ length: 100 }, (_, n) => first - n));
  }
});

test("T26 records the export of the log", async () => {
  const { id } = await newApp("taken-away");
  const [entry] = await find(`record:any:${id}`);
  const query = { format: "csv" as const, columns: "id,actorName,changes", ids: entry?.id ?? "" };
  const file = await call(admin, exportAudit, { query });
  expect(file.text.split("\r\n").slice(0, 2)).toEqual([
    "id,actorName,changes",
    expect.stringContaining(`${entry?.id},Ada Admin,"[{""field"":""code""`),
  ]);
  const told = (await find("entity:any:exports")).at(-1);
  expect(told).toMatchObject({ action: "insert", label: "audit log", actor: { id: admin.id } });
  const lines = await call(admin, exportAudit, {
    query: { format: "jsonl", columns: "id,at,changes", f: [`record:any:${id}`] },
  });
  expect(JSON.parse(lines.text)).toMatchObject({ id: entry?.id, changes: entry?.changes });
});

test("the screen is told how far the log is chained, and what the last verification found", async () => {
  await sealAudit(platform.db);
  const place = await beginVerifying(platform.db, new Date());
  const { broken } = await verifyOn(platform.db, place);
  await recordVerification(platform.db, place, broken);
  const { body } = await call(admin, getVerification);
  expect(body).toMatchObject({
    lastEntry: String(place.lastEntry),
    sealed: { seal: place.lastSeal },
    verified: { upToEntry: String(place.lastEntry), broken: null },
  });
  await recordVerification(platform.db, place, { what: "an entry was altered", number: "7" });
  expect((await call(admin, getVerification)).body.verified?.broken).toEqual({
    code: "audit_entry_altered",
    text: "Entry 7 was altered.",
    parameters: { number: "7" },
  });
});
