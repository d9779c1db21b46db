import { appListFields } from "@purser/contract/apps/fields";
import { currencies } from "@purser/contract/fields/amounts";
import type { Fields } from "@purser/contract/http/list";
import { expect, test } from "vitest";
import {
  type FieldLabels,
  filterOf,
  listLabels,
  partsOf,
  sentenceOf,
  withoutFilter,
} from "./filterLabels.ts";

const fieldLabels = listLabels(appListFields, {
  status: { options: { draft: "Draft", active: "Active", archived: "Archived" } },
  platforms: {
    options: { web: "Web", ios: "iOS", android: "Android", desktop: "Desktop", api: "API" },
  },
});

test.each([
  ["status:any:draft,active", "Status is Draft or Active"],
  ["platforms:none:ios", "Platforms doesn't include iOS"],
  ["name:contains:a:b", "Name contains a:b"],
  ["name:empty:", "Name is empty"],
  ["createdAt:last:1", "Created in the last 1 day"],
  ["createdAt:last:30", "Created in the last 30 days"],
  ["createdAt:this:month", "Created this month"],
  ["createdAt:between:2026-01-01,2026-02-01", "Created between Jan 1, 2026 and Feb 1, 2026"],
  ["createdAt:on:never", "Created on never"],
  ["nope:is:x", "nope is x"],
  ["status:like:draft", "Status like Draft"],
])("%s reads as %j", (filter, sentence) => {
  expect(sentenceOf(appListFields, fieldLabels, filter).text).toBe(sentence);
});

test("writes a filter as it was read, with colons in its value", () => {
  for (const filter of ["name:is:a:b:c", "status:any:draft", "supportEmail:empty:"])
    expect(filterOf(partsOf(filter))).toBe(filter);
});

test("shows related records by name, apart from the rest of the sentence", () => {
  const labels: FieldLabels<{ app: { kind: "relation" } }> = { app: { label: "App" } };
  const sentence = sentenceOf({ app: { kind: "relation" } }, labels, "app:none:1,2", {
    nameOf: (id) => (id === "1" ? "Harbor" : id),
  });
  expect(sentence.pieces).toEqual([
    { text: "App", role: "field" },
    { text: " is not " },
    { text: "Harbor or 2", role: "value" },
  ]);
});

test.each([
  [["total:gte:1250", "currency:is:EUR"], "Amount at least 12.50 EUR"],
  [["total:between:1250,200000", "currency:is:EUR"], "Amount between 12.50 EUR and 2,000.00 EUR"],
  [["total:gte:1250", "currency:is:XXX"], "Amount at least 1,250 (smallest currency unit)"],
  [["total:gte:1250"], "Amount at least 1,250 (smallest currency unit)"],
])("formats the amount of %j as %j", (filters, text) => {
  const fields = { total: { kind: "number" }, currency: { kind: "text" } } as const;
  const labels: FieldLabels<typeof fields> = {
    currency: { label: "Currency" },
    total: {
      label: "Amount",
      amounts: {
        currencyField: "currency",
        currencies,
        refusalOf: () => null,
        read: () => null,
      },
    },
  };
  expect(sentenceOf(fields, labels, filters[0] ?? "", { filters }).text).toBe(text);
});

test("removing the currency removes the amounts in it", () => {
  const labels: FieldLabels<Fields> = {
    currency: { label: "Currency" },
    status: { label: "Status" },
    total: {
      label: "Amount",
      amounts: { currencyField: "currency", currencies, refusalOf: () => null, read: () => null },
    },
  };
  const filters = ["status:any:paid", "total:gte:1250", "currency:is:EUR"];
  expect(withoutFilter(filters, 2, labels)).toEqual(["status:any:paid"]);
  expect(withoutFilter(filters, 1, labels)).toEqual(["status:any:paid", "currency:is:EUR"]);
});
