import {
  changeUser,
  createUser,
  getUserActivity,
  listUsers,
} from "@purser/contract/users/endpoints";
import { eraseCustomer } from "@purser/contract/users/privacy";
import {
  exportRejectedRows,
  pauseImport,
  resumeImport,
  startImport,
  stopImport,
  undoImport,
} from "@purser/contract/workspace/importActions";
import {
  getImport,
  listImportRows,
  listImports,
  mapImport,
  replaceInImport,
  uploadImportPart,
} from "@purser/contract/workspace/imports";
import { listNotifications } from "@purser/contract/workspace/notifications";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { checkImport, forgetImports, runImport } from "./jobs.ts";
import { importing } from "./testing/importing.ts";

const product = await testProduct();
const { call, signIn, owner } = product;
const admin = await signIn("admin", "Ada Admin");
const { upload, check, start, all, undo, runJob } = importing(product, admin);

const count = async (text: string, values: unknown[] = []) =>
  Number((await owner.query(`select count(*) as n from ${text}`, values)).rows[0].n);

const found = async (q: string) => (await call(admin, listUsers, { query: { q } })).body.items;

test("imports new customers, updates known ones and rejects the others at their cells", async () => {
  await call(admin, createUser, {
    body: { email: "known@imp.example.com", name: "Old", externalId: "imp-2" },
  });
  await call(admin, createUser, { body: { email: "same@imp.example.com", name: "Same" } });
  const csv = [
    "customer_id,email,full_name,country,created,utm",
    "imp-1,aino@imp.example.com,Aino Moreau,Finland,2023-11-02,a",
    "imp-2,known@imp.example.com,New name,,,b",
    ",same@imp.example.com,Same,,,c",
    "imp-4,not-an-address,Viggo,,,d",
    "imp-5,hanna@imp.example.com,Hanna,Deutschlnd,,e",
    "imp-1,twin@imp.example.com,Twin,,,f",
    `imp-7,${admin.email},Team,,,g`,
    "imp-8,KNOWN@imp.example.com,Other,,,h",
    ",noname@imp.example.com,,,,i",
  ].join("\r\n");
  const uploaded = await upload(csv);
  expect(uploaded).toMatchObject({ status: "uploaded", rows: 9, bytes: Buffer.byteLength(csv) });
  expect(uploaded.columns[0]).toEqual({
    name: "customer_id",
    samples: ["imp-1", "imp-2", "imp-4"],
    written: [],
  });
  expect(uploaded.mapping).toEqual(["externalId", "email", "name", "country", "createdAt", null]);

  const users = await count("users");
  const checked = await check(uploaded.id, uploaded.mapping);
  expect(checked).toMatchObject({
    status: "checked",
    checked: { new: 2, update: 1, unchanged: 1, rejected: 5 },
    suggestions: [{ field: "country", from: "Deutschlnd", to: "Germany", rows: 1 }],
  });
  expect(checked.errors.reduce((sum, { rows }) => sum + rows, 0)).toBe(5);
  expect(await count("users"), "a check writes no customer").toBe(users);
  const params = { id: uploaded.id };
  const rows = await call(admin, listImportRows, { params, query: { show: "rejected" } });
  expect(
    rows.body.items.map(({ row, errors }) => [row, errors[0]?.field, errors[0]?.message.text]),
  ).toEqual([
    [5, "email", "Enter an email address, such as name@example.com."],
    [6, "country", "Unknown country. Did you mean Germany?"],
    [7, "externalId", "Same ID as row 2"],
    [8, "email", "A team member has this email address."],
    [9, "email", "Same email address as row 3"],
  ]);

  await call(admin, replaceInImport, {
    params,
    body: { field: "country", from: "Deutschlnd", to: "Germany" },
  });
  await runJob(checkImport, uploaded.id);
  expect((await call(admin, getImport, { params })).body.checked).toMatchObject({
    new: 3,
    rejected: 4,
  });

  const done = await start(uploaded.id);
  expect(done).toMatchObject({
    status: "finished",
    done: { new: 3, update: 1, unchanged: 1, rejected: 4 },
    canUndo: true,
  });
  expect(await found("aino@imp.example.com")).toMatchObject([
    {
      externalId: "imp-1",
      name: "Aino Moreau",
      country: "FI",
      status: "active",
      createdAt: "2023-11-02T00:00:00.000Z",
    },
  ]);
  expect(await found("known@imp.example.com")).toMatchObject([
    { name: "New name", externalId: "imp-2" },
  ]);
  expect(await found("hanna@imp.example.com")).toMatchObject([{ country: "DE" }]);
  expect(await found("noname@imp.example.com")).toMatchObject([{ name: "noname@imp.example.com" }]);

  const file = await call(admin, exportRejectedRows, { params, query: {} });
  expect(file.text.split("\r\n").slice(0, 3)).toEqual([
    "customer_id,email,full_name,country,created,utm,error",
    'imp-4,not-an-address,Viggo,,,d,"Enter an email address, such as name@example.com."',
    "imp-1,twin@imp.example.com,Twin,,,f,Same ID as row 2",
  ]);
  const bell = await call(admin, listNotifications);
  expect(bell.body.items[0]).toMatchObject({
    path: `/import/${uploaded.id}`,
    message: {
      text: "Import of customers.csv finished. 4 rows imported, 1 already there, 4 rejected.",
    },
  });
});

test("the same file again changes nothing, and sends no email or webhook", async () => {
  const csv = "id,email,name\nagain-1,again@imp.example.com,Again\n";
  const jobs = "pgboss.job where name not in ('check-import', 'run-import')";
  const before = [await count("webhook_events"), await count(jobs)];
  expect((await all(csv)).done.new).toBe(1);
  const [customer] = await found("again@imp.example.com");
  expect((await all(csv)).done).toEqual({ new: 0, update: 0, unchanged: 1, rejected: 0 });
  expect(await found("again@imp.example.com")).toEqual([customer]);
  expect([await count("webhook_events"), await count(jobs)]).toEqual(before);
});

test("two files with the same customers at the same time add each of them once", async () => {
  // More than one batch, and the second file meets the first one halfway.
  const lines = Array.from({ length: 600 }, (_, n) => `pair-${n},pair-${n}@imp.example.com,Pair`);
  const files = [lines, lines.toReversed()].map((rows) => ["id,email,name", ...rows].join("\n"));
  const uploaded = await Promise.all(files.map((file) => upload(file)));
  for (const { id, mapping } of uploaded)
    expect((await check(id, mapping)).checked.new).toBe(lines.length);
  const done = await Promise.all(uploaded.map(({ id }) => start(id)));
  const sum = (outcome: "new" | "update" | "unchanged" | "rejected") =>
    done.reduce((rows, one) => rows + one.done[outcome], 0);
  expect([sum("new"), sum("unchanged")]).toEqual([lines.length, lines.length]);
  expect([sum("update"), sum("rejected")]).toEqual([0, 0]);
  const pairs = "users where email like 'pair-%@imp.example.com'";
  expect(await count(pairs)).toBe(lines.length);
  const ids = uploaded.map(({ id }) => id);
  expect(await count("audit_entries where entity = 'users' and request_id = any ($1)", [ids])).toBe(
    lines.length,
  );
});

test("every customer has an audit entry of the team member, all in one action", async () => {
  const { id } = await all(
    "id,email\naudit-1,audit-1@imp.example.com\naudit-2,audit-2@imp.example.com",
  );
  const { rows } = await owner.query(
    `select entity, action, actor_id, actor_name, after ->> 'imported' as imported
     from audit_entries where request_id = $1 order by id`,
    [id],
  );
  const own = { actor_id: admin.id, actor_name: "Ada Admin" };
  expect(rows).toEqual([
    { ...own, entity: "users", action: "insert", imported: null },
    { ...own, entity: "users", action: "insert", imported: null },
    { ...own, entity: "imports", action: "update", imported: "2" },
  ]);
  const [customer] = await found("audit-1@imp.example.com");
  const activity = await call(admin, getUserActivity, { params: { id: customer?.id ?? "" } });
  expect(activity.body.items).toMatchObject([{ action: "insert", actor: { name: "Ada Admin" } }]);
});

test("a row whose customer changed after the check is judged again", async () => {
  const { id, mapping } = await upload(
    "id,email,name\nlate-1,late-1@imp.example.com,File\nlate-2,late-2@imp.example.com,File",
  );
  expect((await check(id, mapping)).checked.new).toBe(2);
  await call(admin, createUser, { body: { email: "late-1@imp.example.com", name: "Typed" } });
  await call(admin, createUser, {
    body: { email: "late-2@imp.example.com", name: "Typed", externalId: "another" },
  });
  expect((await start(id)).done).toEqual({ new: 0, update: 1, unchanged: 0, rejected: 1 });
  expect(await found("late-1@imp.example.com")).toMatchObject([
    { externalId: "late-1", name: "File" },
  ]);
  expect(await found("late-2@imp.example.com")).toMatchObject([{ externalId: "another" }]);
});

test("takes parts in order and once, with a row that is split between them", async () => {
  const { id } = await upload("never,used\n1,2");
  const again = { id, part: "1" };
  const repeated = await call(admin, uploadImportPart, {
    params: again,
    body: { text: "x", isLast: true },
  });
  expect(repeated.body).toMatchObject({ status: "uploaded", rows: 1 });
  const late = { id, part: "2" };
  const refused = await call(admin, uploadImportPart, {
    params: late,
    body: { text: "x", isLast: true },
  });
  expect(refused.status).toBe(409);
});

test.each([
  ["", "import_file_empty"],
  ["email,name\n", "import_file_header_only"],
  ['email\n"a@example.com', "import_quote_open"],
  [Array.from({ length: 101 }, (_, n) => `c${n}`).join(), "import_columns_many"],
])("refuses the file %j", async (text, code) => {
  const { id } = (await upload("email\na@example.com")) as { id: string };
  await owner.query(
    "update imports set stage = 'uploading', parts = 0, rows = 0, columns = null where id = $1",
    [id],
  );
  await owner.query("delete from import_rows where import_id = $1", [id]);
  const answer = await call(admin, uploadImportPart, {
    params: { id, part: "1" },
    body: { text, isLast: true },
  });
  expect([answer.status, answer.body["reason"]]).toEqual([400, code]);
});

test.each([
  [["name", null], "import_field_missing"],
  [["email", "email"], "import_field_repeated"],
  [["email", "role"], "import_field_unknown"],
  [["email"], "import_mapping_length"],
])("refuses the mapping %j", async (mapping, code) => {
  const { id } = await upload("a,b\n1,2");
  const answer = await call(admin, mapImport, { params: { id }, body: { mapping } });
  expect([answer.status, answer.body["reason"]]).toEqual([400, code]);
});

test("pauses, continues and stops, and each state allows only what fits", async () => {
  const { id, mapping } = await upload("email\npause@imp.example.com");
  const params = { id };
  const body = {};
  expect((await call(admin, startImport, { params, body })).status, "not checked").toBe(409);
  await check(id, mapping);
  await call(admin, startImport, { params, body });
  expect((await call(admin, startImport, { params, body })).status, "twice").toBe(409);
  expect((await call(admin, pauseImport, { params, body })).body.status).toBe("paused");
  await runJob(runImport, id);
  expect(await found("pause@imp.example.com"), "a paused import does nothing").toEqual([]);
  expect((await call(admin, resumeImport, { params, body })).body.status).toBe("running");
  expect((await call(admin, stopImport, { params, body })).body.status).toBe("stopped");
  await runJob(runImport, id);
  expect(await found("pause@imp.example.com")).toEqual([]);
  expect((await call(admin, stopImport, { params, body })).status).toBe(409);
});

test("undo erases what the import created and no one used, and frees address and ID", async () => {
  const csv =
    "id,email,name\nundo-1,undo-1@imp.example.com,Gone\nundo-2,undo-2@imp.example.com,Kept\n";
  const { id } = await all(csv);
  const [kept] = await found("undo-2@imp.example.com");
  await call(admin, changeUser, {
    params: { id: kept?.id ?? "" },
    version: 1,
    body: { email: "undo-2@imp.example.com", name: "Edited", externalId: "undo-2" },
  });
  const undone = await call(admin, undoImport, { params: { id }, body: { reason: "Wrong file." } });
  expect(undone.body.status).toBe("undoing");
  await undo(id);
  const after = await call(admin, getImport, { params: { id } });
  expect(after.body).toMatchObject({ status: "undone", undone: 1, canUndo: false });
  expect(await found("undo-1@imp.example.com")).toEqual([]);
  expect(await found("undo-2@imp.example.com")).toMatchObject([{ name: "Edited" }]);
  const traces = await count("audit_entries where before::text like $1 or after::text like $1", [
    "%undo-1@imp.example.com%",
  ]);
  expect(traces).toBe(0);
  expect((await all(csv)).done).toMatchObject({ new: 1, rejected: 0 });
});

test("rows of a file are erased with the customer, and deleted after a week", async () => {
  const { id } = await all(
    "id,email\nerase-1,erase-1@imp.example.com\nerase-2,erase-2@imp.example.com",
  );
  const [customer] = await found("erase-1@imp.example.com");
  await call(admin, eraseCustomer, {
    params: { id: customer?.id ?? "" },
    version: 1,
    body: { reason: "Asked for it." },
  });
  const stored = "import_rows where import_id = $1 and cells::text like '%erase-1%'";
  expect(await count(stored, [id])).toBe(0);
  expect(await count("import_rows where import_id = $1", [id])).toBe(1);
  const { db, queues, now } = product.platform;
  const step = <T>(work: (own: typeof db, enqueue: never) => Promise<T>) => work(db, null as never);
  const inAWeek = new Date(+now() + 7.1 * 86_400_000);
  await forgetImports.run({ db, now: inAWeek, step, enqueue: queues.enqueueIn(db) }, {});
  expect(await count("import_rows where import_id = $1", [id])).toBe(0);
  const after = await call(admin, getImport, { params: { id } });
  expect(after.body).toMatchObject({ hasRows: false, canUndo: false, done: { new: 2 } });
});

test("only owners and admins import, and starting needs a recent proof of identity", async () => {
  const support = await signIn("support");
  expect((await call(support, listImports)).status).toBe(403);
  const stale = await signIn("admin", "Stale", "stale");
  const { id, mapping } = await upload("email\nstale@imp.example.com");
  await check(id, mapping);
  const refused = await call(stale, startImport, { params: { id }, body: {} });
  expect([refused.status, refused.body["type"]]).toEqual([
    403,
    "urn:purser:problem:proof_required",
  ]);
});

test("tables that an import has grown get new statistics, and others don't", async () => {
  const { id } = await upload("email\nstatistics@imp.example.com");
  const refresh = async () => {
    const { rows } = await owner.query(
      "select refresh_statistics('{import_rows,settings,sessions}') as tables",
    );
    return rows[0].tables;
  };
  const client = await owner.connect();
  await client.query("analyze import_rows");
  await client.query(
    `insert into import_rows (import_id, row, cells) select $1, n, '[]' from generate_series(10, 5500) n`,
    [id],
  );
  await client.query("select pg_stat_force_next_flush()");
  client.release();
  expect(await refresh()).toBe(1);
  expect(await refresh()).toBe(0);
});
