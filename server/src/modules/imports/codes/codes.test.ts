import { allows, type Role, roles } from "@purser/contract/auth/permissions";
import { addCodes, exportCodes } from "@purser/contract/promotions/codes";
import {
  archivePromotion,
  createPromotion,
  getPromotion,
} from "@purser/contract/promotions/endpoints";
import { startImport, undoImport } from "@purser/contract/workspace/importActions";
import {
  createImport,
  getImport,
  importKinds,
  importPermissions,
} from "@purser/contract/workspace/imports";
import { expect, test } from "vitest";
import { shopIn } from "#modules/transactions/testing/testing.ts";
import { testProduct } from "#testing.ts";
import { runImport } from "../jobs.ts";
import { refusalOfRole } from "../rules.ts";
import { importing } from "../testing/importing.ts";

const product = await testProduct();
const { call, signIn, owner } = product;
const shop = await shopIn(product);
const { admin } = shop;
const { upload, check, start, all, undo, runJob, errorsOf } = importing(product, admin, "codes");

const newPromotion = async (name: string, details: object = {}) => {
  const body = { name, kind: "percent", basisPoints: 1000, ...details } as never;
  return (await call(admin, createPromotion, { body })).body;
};

const codesOf = async (id: string) =>
  (await call(admin, exportCodes, { params: { id }, query: { format: "jsonl" } })).text
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const { code, redemptionLimit } = JSON.parse(line);
      return [code, redemptionLimit];
    });

test("imports codes of promotions by name and ID, and rejects the others at their cells", async () => {
  const welcome = await newPromotion("Welcome", { code: "SHARED-1" });
  const twin = await newPromotion("Twin", { code: "TWIN-1" });
  await newPromotion("Twin", { code: "TWIN-2" });
  await newPromotion("Everyone", { requiresCode: false, code: null });
  const old = await shop.promote({ name: "Old", code: "OLD-1" });
  const { id: oldId, version } = old;
  await call(admin, archivePromotion, { params: { id: oldId }, version, body: {} });
  const uploaded = await upload(
    [
      "Coupon code,Campaign,Max redemptions",
      "spring-1,welcome,",
      `Spring 2,${twin.id},50`,
      "spring1,Welcome,",
      "x,Welcome,1",
      "SPRING-3,Unknown,1",
      "SPRING-4,Twin,1",
      "SPRING-5,Everyone,1",
      "SPRING-6,Old,1",
      "TWIN-1,Welcome,1",
      "SHARED-1,Welcome,5",
      "SPRING-7,Welcome,0",
      ",Welcome,1",
    ].join("\n"),
  );
  expect(uploaded.mapping).toEqual(["code", "promotion", "redemptionLimit"]);
  const checked = await check(uploaded.id, uploaded.mapping);
  expect(checked.checked).toEqual({ new: 2, update: 0, unchanged: 0, rejected: 10 });
  expect(await errorsOf(uploaded.id)).toEqual([
    [4, "code", "import_same_key"],
    [5, "code", "promotion_code_invalid"],
    [6, "promotion", "import_promotion_unknown"],
    [7, "promotion", "import_promotion_ambiguous"],
    [8, "promotion", "promotion_without_codes"],
    [9, "promotion", "promotion_archived_codes"],
    [10, "code", "import_code_taken"],
    [11, "redemptionLimit", "import_code_differs"],
    [12, "redemptionLimit", "number_too_small"],
    [13, "code", "import_value_required"],
  ]);
  expect(await codesOf(welcome.id), "a check writes no code").toEqual([["SHARED-1", null]]);
  expect((await start(uploaded.id)).done).toMatchObject({ new: 2, rejected: 10 });
  expect(await codesOf(welcome.id)).toEqual([
    ["SHARED-1", null],
    ["SPRING-1", 1],
  ]);
  expect(await codesOf(twin.id)).toContainEqual(["SPRING 2", 50]);
});

test("the same file again, and twice at the same time, adds each code once", async () => {
  const { id } = await newPromotion("Twice", { code: "TWICE" });
  const csv = `code,promotion\n${Array.from({ length: 40 }, (_, n) => `again-${n},Twice`).join("\n")}`;
  const two = [await upload(csv), await upload(csv)];
  for (const one of two) {
    expect((await check(one.id, one.mapping)).checked.new).toBe(40);
    await call(admin, startImport, { params: { id: one.id }, body: {} });
  }
  await Promise.all(two.map((one) => runJob(runImport, one.id)));
  const done = await Promise.all(
    two.map(async (one) => (await call(admin, getImport, { params: { id: one.id } })).body.done),
  );
  expect(done.map((one) => one.new).toSorted()).toEqual([0, 40]);
  expect(done.map((one) => one.unchanged).toSorted()).toEqual([0, 40]);
  expect((await all(csv)).done).toEqual({ new: 0, update: 0, unchanged: 40, rejected: 0 });
  expect(await codesOf(id)).toHaveLength(41);
});

test("a promotion that was archived after the check gets no codes", async () => {
  const { id, version } = await shop.promote({ name: "Late", code: "LATE" });
  const uploaded = await upload("code,promotion\nlate-1,Late");
  expect((await check(uploaded.id, uploaded.mapping)).checked.new).toBe(1);
  await call(admin, archivePromotion, { params: { id }, version, body: {} });
  expect((await start(uploaded.id)).done).toMatchObject({ new: 0, rejected: 1 });
  expect(await errorsOf(uploaded.id)).toEqual([[2, "promotion", "promotion_archived_codes"]]);
  expect(await codesOf(id)).toEqual([["LATE", null]]);
});

test("undo deletes the codes that no one has redeemed", async () => {
  const pack = await shop.sellPackage();
  const { id } = await shop.promote({ name: "Undone", code: "UNDONE" });
  const imported = await all("code,promotion\nundo-1,Undone\nundo-2,Undone");
  expect(imported.canUndo).toBe(true);
  await shop.sell(shop.saleOf(pack.id, { codes: ["UNDO-1"] }));
  const params = { id: imported.id };
  await call(admin, undoImport, { params, body: { reason: "Wrong file." } });
  await undo(imported.id);
  expect((await call(admin, getImport, { params })).body).toMatchObject({
    status: "undone",
    undone: 1,
  });
  expect(await codesOf(id)).toEqual([
    ["UNDONE", null],
    ["UNDO-1", 1],
  ]);
});

test("an imported code is kept when the promotion gets more codes", async () => {
  const { id } = await newPromotion("More", { code: "MORE" });
  await all("code,promotion\nmore-1,More");
  await call(admin, addCodes, { params: { id }, body: { amount: 1, redemptionLimit: 1 } });
  expect((await call(admin, getPromotion, { params: { id } })).body.codes).toBe(3);
  const { rows } = await owner.query(
    "select after ->> 'made' as made from audit_entries where entity = 'promotion_codes' and record_id = $1 order by id",
    [id],
  );
  expect(rows.map(({ made }) => made)).toEqual([null, "1", "1"]);
});

test("only who can create something by hand can import it", async () => {
  const cases: [Role, boolean][] = roles.map((role) => [role, allows(role, "promotions:write")]);
  for (const [role, may] of cases) expect(refusalOfRole(role, "codes") === null, role).toBe(may);
  for (const kind of importKinds)
    for (const role of roles)
      expect(refusalOfRole(role, kind) === null).toBe(allows(role, importPermissions[kind]));
  const catalog = await signIn("catalog");
  const refused = await call(catalog, createImport, { body: { kind: "codes", name: "codes.csv" } });
  expect(refused.status).toBe(403);
});
