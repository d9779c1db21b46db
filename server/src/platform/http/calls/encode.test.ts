import { app, appFields } from "@purser/contract/apps/fields";
import { endpoints } from "@purser/contract/endpoints";
import { defaultsOf } from "@purser/contract/fields/declarations";
import { value } from "@purser/contract/fields/values";
import { pageOf } from "@purser/contract/http/list";
import { expect, test } from "vitest";
import { z } from "zod";
import { encoderOf } from "./encode.ts";

const row = {
  ...defaultsOf(appFields),
  id: "01a1dd06-0000-7000-8000-000000000000",
  code: "harbor",
  name: "Harbor",
  description: "",
  platforms: ["web" as const],
  icon: "anchor",
  status: "active" as const,
  codeFrozen: true,
  keys: 0,
  suspendedAt: null,
  version: 3,
  createdAt: new Date("2026-03-01T00:00:00.123Z"),
  updatedAt: new Date("2026-03-02T00:00:00Z"),
};

test("encodes like zod, without undeclared fields", () => {
  const page = {
    items: [row],
    previous: null,
    next: "x",
    total: { count: 1, kind: "exact" as const },
    searched: null,
  };
  const schema = pageOf(app);
  const hidden = { ...page, items: [{ ...row, secret: "hidden", key0: "x" }] };
  expect(encoderOf(schema)(hidden)).toEqual(z.encode(schema, page));
});

test("has a plan for every reply of the table", () => {
  for (const { reply } of Object.values(endpoints))
    if (reply) expect(encoderOf(reply)).toBeTypeOf("function");
});

test("leaves feature values unchanged", () => {
  const schema = z.object({ given: value, others: z.array(value) });
  const row = { given: "unlimited", others: [true, 999_999_999_999_999, "gold"] };
  expect(encoderOf(schema)(row)).toEqual(z.encode(schema, row));
});

test("encodes nullable dates, and unions with zod", () => {
  const moment = z.codec(z.iso.datetime(), z.date(), {
    decode: (value) => new Date(value),
    encode: (value) => value.toISOString(),
  });
  const schema = z.object({
    at: moment.nullable(),
    way: z.discriminatedUnion("state", [
      z.object({ state: z.literal("a"), at: moment }),
      z.object({ state: z.literal("b") }),
    ]),
  });
  const at = new Date("2026-03-01T00:00:00Z");
  const value = { at: null, way: { state: "a" as const, at } };
  expect(encoderOf(schema)(value)).toEqual({
    at: null,
    way: { state: "a", at: "2026-03-01T00:00:00.000Z" },
  });
});

test("refuses a reply without a required field at any depth", () => {
  const { icon: _, ...planted } = row;
  const page = { items: [row, planted], previous: null, next: null, total: null };
  expect(() => encoderOf(app)(planted)).toThrow("The reply has no icon.");
  expect(() => encoderOf(pageOf(app))(page)).toThrow("The reply has no icon.");
  expect(() => encoderOf(z.object({ app: app.nullable() }))({ app: planted })).toThrow("icon");
  expect(() => encoderOf(app)({ ...row, icon: undefined })).toThrow("The reply has no icon.");
});

test("accepts missing optional and null nullable fields", () => {
  const schema = z.object({ note: z.string().optional(), reason: z.string().nullable() });
  expect(encoderOf(schema)({ reason: null })).toEqual({ reason: null });
});
