import { array, assert, constantFrom, property, string, uniqueArray, webUrl } from "fast-check";
import { expect, test } from "vitest";
import { fullName, parseIcon, requestsFor } from "./iconRequests.ts";

const name = array(string({ unit: constantFrom(..."abcxyz019"), minLength: 1, maxLength: 12 }), {
  minLength: 1,
  maxLength: 4,
}).map((words) => words.join("-"));
const twoHundred = uniqueArray(name, { minLength: 200, maxLength: 200 });
const collection = webUrl({ size: "small" }).map((url) => new URL("tabler.json", url).href);

test("S9.5 requests each of 200 names once, in order, in URLs of at most 500 characters", async () => {
  await assert(
    property(collection, twoHundred, (address, names) => {
      const requests = requestsFor(address, names);
      expect(requests.flatMap((request) => request.names)).toEqual(names);
      for (const request of requests) {
        expect(request.address).toBe(`${address}?icons=${request.names.join(",")}`);
        expect(new URL(request.address).href).toBe(request.address);
        expect(request.address.length).toBeLessThanOrEqual(500);
        expect(request.names.length).toBeLessThanOrEqual(100);
      }
      // No name would have fit into the request before.
      for (const [index, { address: full, names: asked }] of requests.slice(0, -1).entries()) {
        const next = `${full},${requests[index + 1]?.names[0]}`;
        expect(next.length > 500 || asked.length === 100).toBe(true);
      }
    }),
  );
});

test("S9.5 allows URLs of exactly 500 characters and skips a name that needs more", () => {
  const address = "https://icons.example/tabler.json";
  const room = 500 - `${address}?icons=`.length;
  const fitting = "a".repeat(room);
  expect(requestsFor(address, [fitting])).toEqual([
    { address: `${address}?icons=${fitting}`, names: [fitting] },
  ]);
  const names = requestsFor(address, ["anchor", `${fitting}a`, "bolt"]);
  expect(names).toEqual([{ address: `${address}?icons=anchor,bolt`, names: ["anchor", "bolt"] }]);
  expect(requestsFor(address, [])).toEqual([]);
});

test.each([
  ["home", { collection: "tabler", name: "home" }],
  ["tabler:home", { collection: "tabler", name: "home" }],
  ["lucide:arrow-down-a-z", { collection: "lucide", name: "arrow-down-a-z" }],
  ["simple-icons:2fa", { collection: "simple-icons", name: "2fa" }],
  ["", null],
  ["Home", null],
  ["home,away", null],
  ["home-", null],
  ["a--b", null],
  [":home", null],
  ["tabler:", null],
  ["a:b:c", null],
  ["../tabler:home", null],
  ["home?x=1", null],
  ["home\n", null],
])("S7.9 parses the icon name %j as %j", (given, icon) => {
  expect(parseIcon(fullName(given))).toEqual(icon);
});
