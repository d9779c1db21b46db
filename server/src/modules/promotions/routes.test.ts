import { addCodes, exportCodes } from "@purser/contract/promotions/codes";
import {
  archivePromotion,
  changePromotion,
  createPromotion,
  deletePromotion,
  getPromotion,
  listOverlapping,
  listPromotions,
  type PromotionDetails,
  pausePromotion,
  publishPromotion,
  resumePromotion,
} from "@purser/contract/promotions/endpoints";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";

const { call, signIn, owner } = await testProduct();
const marketing = await signIn("catalog", "Mara");

const tenth = { name: "Autumn", kind: "percent", basisPoints: 1000 } as const;

const make = async (details: Partial<PromotionDetails> = {}) => {
  const body = { ...tenth, code: `c${Math.random().toString(36).slice(2, 12)}`, ...details };
  const made = await call(marketing, createPromotion, { body: body as never });
  expect(made.status, made.text).toBe(201);
  return made.body;
};

const transition = (
  endpoint: typeof publishPromotion | typeof pausePromotion,
  { id, version }: { id: string; version: number },
) => call(marketing, endpoint, { params: { id }, version, body: {} });

const read = async (id: string) => (await call(marketing, getPromotion, { params: { id } })).body;

test("a promotion starts as a draft and can be published, paused, resumed and archived", async () => {
  const draft = await make();
  expect(draft).toMatchObject({ status: "draft", redemptions: 0, codes: 1, isLocked: false });
  const running = (await transition(publishPromotion, draft)).body;
  expect(running.status).toBe("running");
  const paused = (await transition(pausePromotion, running)).body;
  expect(paused.status).toBe("paused");
  const again = (await transition(resumePromotion, paused)).body;
  expect(again.status).toBe("running");
  expect((await transition(archivePromotion, again)).body.status).toBe("archived");
});

test("the status depends on the start and end date", async () => {
  const soon = new Date(Date.now() + 86_400_000);
  const past = new Date(Date.now() - 86_400_000);
  const later = await make({ startsAt: soon.toISOString() as never });
  const over = await make({ endsAt: past.toISOString() as never });
  expect((await transition(publishPromotion, later)).body.status).toBe("scheduled");
  expect((await transition(publishPromotion, over)).body.status).toBe("ended");
  const { body } = await call(marketing, listPromotions, { query: { f: ["status:any:ended"] } });
  expect(body.items.map(({ id }) => id)).toContain(over.id);
  expect(body.items.map(({ id }) => id)).not.toContain(later.id);
});

test("recognizes a code however it is typed, and refuses it for a second promotion", async () => {
  await make({ code: "Au-tumn 20" });
  const taken = await call(marketing, createPromotion, {
    body: { ...tenth, code: "AUTUMN20" },
  });
  expect(taken.status).toBe(409);
  expect(taken.body["errors"]).toMatchObject([{ pointer: "/code" }]);
  const unreadable = await call(marketing, createPromotion, { body: { ...tenth, code: "ü!" } });
  expect(unreadable.body["errors"]).toMatchObject([{ pointer: "/code" }]);
});

test("reports conflicts between fields at the field", async () => {
  const pointers = async (details: object) =>
    (
      (await call(marketing, createPromotion, { body: { ...tenth, ...details } })).body[
        "errors"
      ] as { pointer: string }[]
    ).map(({ pointer }) => pointer);
  expect(await pointers({ kind: "fixed" })).toEqual(["/basisPoints", "/amounts"]);
  expect(await pointers({ trialDays: 7 })).toEqual(["/trialDays"]);
  expect(await pointers({ duration: "periods" })).toEqual(["/periods"]);
  expect(await pointers({ audience: "listed" })).toEqual(["/customers"]);
  expect(
    await pointers({ startsAt: "2026-02-01T00:00:00Z", endsAt: "2026-01-01T00:00:00Z" }),
  ).toEqual(["/endsAt"]);
  expect(await pointers({ audience: "listed", customers: ["nobody@example.com"] })).toEqual([
    "/customers/0",
  ]);
});

test("refuses to publish a promotion that requires a code and has none", async () => {
  const draft = await make({ code: null });
  expect((await transition(publishPromotion, draft)).status).toBe(409);
  const many = await call(marketing, addCodes, {
    params: { id: draft.id },
    body: { amount: 250, redemptionLimit: 1 },
  });
  expect(many.body.codes).toBe(250);
  expect((await transition(publishPromotion, many.body)).body.status).toBe("running");
  const file = await call(marketing, exportCodes, { params: { id: draft.id } });
  const lines = file.text.trim().split("\r\n");
  expect(lines).toHaveLength(251);
  expect(new Set(lines.slice(1).map((line) => line.split(",")[0])).size).toBe(250);
  expect(lines[1]).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z],0,1,/);
});

test("generated codes and the shared code don't affect each other", async () => {
  const draft = await make();
  const params = { id: draft.id };
  const many = await call(marketing, addCodes, { params, body: { amount: 3 } });
  expect(many.body).toMatchObject({ code: draft.code, codes: 4 });
  const change = async (code: string | null) => {
    const { version } = await read(draft.id);
    return call(marketing, changePromotion, { params, version, body: { ...tenth, code } });
  };
  expect((await change(draft.code)).body).toMatchObject({ code: draft.code, codes: 4 });
  expect((await change(null)).body).toMatchObject({ code: null, codes: 3 });
});

test("finds a promotion by each of its packages", async () => {
  const packageOf = async (code: string) => {
    const { rows } = await owner.query<{ id: string }>(
      "insert into packages (code, name, kind, visibility) values ($1, $1, 'base', 'public') returning id",
      [code],
    );
    return rows[0]?.id ?? "";
  };
  const packageIds = [await packageOf("found-one"), await packageOf("found-two")];
  const { id } = await make({ packageIds });
  for (const one of packageIds) {
    const found = async (operator: string) =>
      (
        await call(marketing, listPromotions, { query: { f: [`package:${operator}:${one}`] } })
      ).body.items.map((item) => item.id);
    expect(await found("any")).toEqual([id]);
    expect(await found("none")).not.toContain(id);
  }
});

test("after a redemption, value, packages and audience are frozen and limits only grow", async () => {
  const { id } = await make({ redemptionLimit: 10 });
  await owner.query("update promotions set uses = 1, first_used_at = now() where id = $1", [id]);
  const stored = await read(id);
  expect(stored.isLocked).toBe(true);
  const change = (details: object) =>
    call(marketing, changePromotion, {
      params: { id },
      version: stored.version,
      body: { ...tenth, code: stored.code, redemptionLimit: 10, ...details },
    });
  const refused = await change({ basisPoints: 2000, redemptionLimit: 5, audience: "new" });
  expect(refused.status).toBe(409);
  expect(refused.body["errors"]).toMatchObject([
    { pointer: "/basisPoints" },
    { pointer: "/audience" },
    { pointer: "/redemptionLimit" },
  ]);
  expect((await change({ name: "Late autumn", redemptionLimit: 20 })).body).toMatchObject({
    name: "Late autumn",
    redemptionLimit: 20,
  });
  // Triggers refuse the same for direct database changes.
  for (const statement of [
    "update promotions set basis_points = 9000 where id = $1",
    "update promotions set max_uses = 2 where id = $1",
    "insert into promotion_amounts (promotion_id, currency, cap) values ($1, 'EUR', 1)",
  ])
    await expect(owner.query(statement, [id])).rejects.toThrow("This promotion has been used");
});

test("deletes a draft and refuses to delete a published promotion", async () => {
  const draft = await make();
  const remove = ({ id, version }: { id: string; version: number }) =>
    call(marketing, deletePromotion, { params: { id }, version });
  expect((await remove(draft)).status).toBe(204);
  const running = (await transition(publishPromotion, await make())).body;
  expect((await remove(running)).status).toBe(409);
});

test("lists the promotions that overlap a period", async () => {
  const at = (day: number) => new Date(Date.UTC(2031, 0, day)).toISOString();
  const first = await make({ startsAt: at(1) as never, endsAt: at(10) as never });
  const second = await make({ startsAt: at(10) as never, endsAt: at(20) as never });
  for (const one of [first, second]) await transition(publishPromotion, one);
  const overlapping = async (from: number, to: number, except?: string) =>
    (
      await call(marketing, listOverlapping, {
        query: { from: at(from), to: at(to), ...(except && { except }) },
      })
    ).body.items
      .map(({ id }) => id)
      .filter((id) => [first.id, second.id].includes(id));
  expect(await overlapping(1, 10)).toEqual([first.id]);
  expect(await overlapping(9, 11)).toEqual([first.id, second.id]);
  expect(await overlapping(9, 11, first.id)).toEqual([second.id]);
});
