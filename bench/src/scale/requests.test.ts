import { endpoints } from "@purser/contract/endpoints";
import { record } from "@purser/contract/fields/primitives";
import { endpoint } from "@purser/contract/http/endpoint";
import { expect, test } from "vitest";
import { faultsOfFill, few } from "./growth.ts";
import { pageRequests, recordRequests, requestsOf } from "./requests.ts";

const read = endpoint({
  method: "GET",
  path: "/coupons/:id",
  summary: "Retrieve a coupon",
  permission: "apps:read",
  params: record,
});
const preview = endpoint({
  method: "POST",
  path: "/coupons/:id/preview",
  summary: "Preview a coupon",
  permission: "apps:read",
  params: record,
  keyed: false,
});

/** A sample of every kind. */
const samples = new Proxy<Record<string, string[]>>({}, { get: (_, kind) => [String(kind)] });

test("requires a sample for the record of every endpoint, and a body for every preview", () => {
  expect(() => requestsOf(read, {})).toThrow("There is no sample for /coupons/:id.");
  expect(() => requestsOf(read, { coupons: [] })).toThrow("There is no sample for /coupons/:id.");
  expect(requestsOf(read, { coupons: ["1", "2"] })).toEqual([
    { url: "/api/coupons/1" },
    { url: "/api/coupons/2" },
  ]);
  expect(() => requestsOf(preview, { coupons: ["1"] })).toThrow("There is no body for");
});

test("covers every endpoint and page that reads", () => {
  const urls = new Set(
    [...recordRequests(samples), ...pageRequests(samples)].map(({ url }) => url),
  );
  for (const url of [
    "/api/list-jobs/list-jobs",
    "/api/list-jobs/list-jobs/rows",
    "/import/imports/_payload.json",
  ])
    expect([...urls]).toContain(url);
  for (const [name, one] of Object.entries(endpoints))
    if (one.method === "GET" && one.permission === "app key" && !("stream" in one))
      expect(
        [...urls].some((url) => url.startsWith(`/api${one.path.split("/:")[0]}`)),
        name,
      ).toBe(true);
});

test("names tables that grow and were not filled", () => {
  const filled = Object.values(few)
    .flat()
    .concat("line_credits")
    .map((name) => ({ name, rows: 0 }));
  expect(faultsOfFill(filled, true)).toEqual([]);
  expect(faultsOfFill([...filled, { name: "coupons", rows: 3 }], true)).toEqual([
    "The table coupons has 3 rows. Fill it, or say in bench/src/scale/growth.ts why it stays small.",
  ]);
  expect(faultsOfFill([...filled, { name: "coupons", rows: 1000 }], true)).toEqual([]);
  expect(faultsOfFill(filled, false)).toHaveLength(1);
});
