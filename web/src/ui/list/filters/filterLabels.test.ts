import { appListFields } from "@purser/contract/apps/fields";
import { expect, test } from "vitest";
import { type FieldLabels, filterOf, listLabels, partsOf, sentenceOf } from "./filterLabels.ts";

const fieldWords = listLabels(appListFields, {
  status: {},
  platforms: { options: { ios: "iOS" } },
});

const read = (filter: string) => {
  const { label, operator, value } = sentenceOf(appListFields, fieldWords, filter);
  return [label, operator, value].filter(Boolean).join(" ");
};

test.each([
  ["status:any:draft,active", "Status is Draft or Active"],
  ["platforms:none:ios", "Platforms has not iOS"],
  ["name:contains:a:b", "Name contains a:b"],
  ["supportEmail:empty:", "Support mail is empty"],
  ["createdAt:last:30", "Created in the last 30 days"],
  ["createdAt:between:2026-01-01,2026-02-01", "Created between 2026-01-01 and 2026-02-01"],
  ["nope:is:x", "nope is x"],
])("%s reads as %j", (filter, sentence) => {
  expect(read(filter)).toBe(sentence);
});

test("writes a filter as it was read, with colons in its value", () => {
  for (const filter of ["name:is:a:b:c", "status:any:draft", "supportEmail:empty:"])
    expect(filterOf(partsOf(filter))).toBe(filter);
});

test("shows related records by name", () => {
  const words: FieldLabels<{ app: { kind: "relation" } }> = { app: { label: "App" } };
  const sentence = sentenceOf({ app: { kind: "relation" } }, words, "app:none:1,2", {
    nameOf: (id) => (id === "1" ? "Harbor" : id),
  });
  expect(sentence).toEqual({ label: "App", operator: "is not", value: "Harbor or 2" });
});

test.each([
  [["total:gte:1250", "currency:is:EUR"], "12.50 EUR"],
  [["total:between:1250,200000", "currency:is:EUR"], "12.50 and 2000.00 EUR"],
  [["total:gte:1250", "currency:is:XXX"], "1250 of the smallest unit"],
  [["total:gte:1250"], "1250 of the smallest unit"],
])("formats the amount of %j as %j", (filters, value) => {
  const fields = { total: { kind: "number" }, currency: { kind: "text" } } as const;
  const words: FieldLabels<typeof fields> = {
    currency: { label: "Currency" },
    total: {
      label: "Amount",
      amounts: {
        currencyField: "currency",
        currencies: ["EUR"],
        refusalOf: () => null,
        read: () => null,
        show: (minor) => (minor / 100).toFixed(2),
      },
    },
  };
  expect(sentenceOf(fields, words, filters[0] ?? "", { filters }).value).toBe(value);
});
