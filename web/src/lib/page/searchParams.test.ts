import { parseSearch } from "@purser/contract/http/url";
import { expect, test } from "vitest";
import { stringifySearch } from "./searchParams.ts";

test("reads a repeated name as a list and keeps values as text", () => {
  expect(parseSearch("?f=status:any:draft&f=name:contains:a%26b&page=3&q=true")).toEqual({
    f: ["status:any:draft", "name:contains:a&b"],
    page: "3",
    q: "true",
  });
});

test.each(["", "?q=a%26b%20c", "?f=a:is:1&f=b:any:x,y&sort=-createdAt,name"])(
  "writes %j as it was read",
  (source) => {
    expect(stringifySearch(parseSearch(source))).toBe(source.replace("%20", "+"));
  },
);

test("leaves out empty values", () => {
  expect(stringifySearch({ q: "", page: undefined, f: [], preview: null, size: "50" })).toBe(
    "?size=50",
  );
});
