import { importFields, importKinds } from "@purser/contract/workspace/imports";
import type { WrittenSign } from "@purser/contract/workspace/importValues";
import { expect, test } from "vitest";
import { Problem } from "#platform/http/problem.ts";
import { recognize } from "./columnNames.ts";
import { countryOf, nearCountry } from "./countries.ts";
import { parseCustomer } from "./customers/parse.ts";
import { readAs } from "./rules.ts";

test.each([
  [
    "our own export",
    ["externalId", "email", "name", "createdAt"],
    ["externalId", "email", "name", "createdAt"],
  ],
  [
    "Stripe",
    [
      "id",
      "Description",
      "Email",
      "Name",
      "Created (UTC)",
      "Card Address Country",
      "Business Vat ID",
    ],
    ["externalId", null, "email", "name", "createdAt", "country", "vatNumber"],
  ],
  [
    "another shop",
    ["customer_id", "E-Mail", "full_name", "utm_source", "ZIP"],
    ["externalId", "email", "name", null, "postalCode"],
  ],
  ["the same field twice", ["email", "Email address"], ["email", null]],
])("recognizes the columns of %s", (_, columns, mapping) => {
  expect(recognize("customers", columns)).toEqual(mapping);
});

test("recognizes Stripe's export of subscriptions", () => {
  const known: [column: string, field: string | null][] = [
    ["id", "reference"],
    ["Customer ID", "customerId"],
    ["Customer Description", null],
    ["Customer Email", "email"],
    ["Plan", null],
    ["Product", "package"],
    ["Quantity", "quantity"],
    ["Currency", "currency"],
    ["Interval", "interval"],
    ["Amount", "price"],
    ["Status", "status"],
    ["Created (UTC)", null],
    ["Start (UTC)", null],
    ["Start Date (UTC)", "startedAt"],
    ["Current Period Start (UTC)", "periodStart"],
    ["Current Period End (UTC)", "periodEnd"],
    ["Trial Start (UTC)", null],
    ["Canceled At (UTC)", null],
    ["Ended At (UTC)", "endedAt"],
    ["Cancel At Period End", "cancelsAtPeriodEnd"],
  ];
  const columns = known.map(([column]) => column);
  expect(recognize("subscriptions", columns)).toEqual(known.map(([, field]) => field));
});

test.each(["Created (UTC)", "Created date (UTC)"])(
  "recognizes Stripe's export of payments with %s, without the tax on its fee",
  (created) => {
    const known: [column: string, field: string | null][] = [
      ["id", "reference"],
      ["Description", "description"],
      [created, "date"],
      ["Amount", "amount"],
      ["Amount Refunded", "refundedAmount"],
      ["Currency", "currency"],
      ["Converted Amount", null],
      ["Fee", null],
      ["Tax", null],
      ["Taxes On Fee", null],
      ["Status", "status"],
      ["Refunded date (UTC)", "refundedAt"],
      ["Customer ID", "customerId"],
      ["Customer Description", null],
      ["Customer Email", "email"],
      ["Invoice ID", null],
    ];
    const columns = known.map(([column]) => column);
    expect(recognize("transactions", columns)).toEqual(known.map(([, field]) => field));
  },
);

test.each(importKinds)("recognizes its own names of %s", (kind) => {
  expect(recognize(kind, importFields[kind])).toEqual([...importFields[kind]]);
});

test.each([
  ["Turkey", "TR"],
  ["Hong Kong", "HK"],
  ["Bosnia and Herzegovina", "BA"],
  ["The Netherlands", "NL"],
  ["Czech Republic", "CZ"],
  ["Großbritannien", "GB"],
  ["U.S.A.", "US"],
  ["Cote d’Ivoire", "CI"],
  ["Osterreich", "AT"],
  ["España", "ES"],
  ["Åland Islands", "AX"],
  ["The Moon", null],
])("reads the country %s", (typed, code) => {
  expect(countryOf(typed)).toBe(code);
});

test("reads countries by code and by name in several languages, and suggests one for a typo", () => {
  expect(["de", "Deutschland", "Germany", "Suomi", "UK", "Nowhere"].map(countryOf)).toEqual([
    "DE",
    "DE",
    "DE",
    "FI",
    "GB",
    null,
  ]);
  expect(["Deutschlnd", "Grmany", "Xx", "Nowhere land"].map(nearCountry)).toEqual([
    "DE",
    "DE",
    null,
    null,
  ]);
});

const now = new Date("2026-11-14T12:00:00Z");
const reading = { now, decimalMark: null, dateOrder: null };
const faults = (cells: Record<string, string>) =>
  parseCustomer({ email: "a@example.com", ...cells }, reading).errors.map(
    ({ field, message }) => `${field}: ${message.code}`,
  );

test.each([
  [{ email: "" }, "email: import_email_missing"],
  [{ email: "viggo@example" }, "email: email_invalid"],
  [{ name: "x".repeat(121) }, "name: text_too_long"],
  [{ country: "Deutschlnd" }, "country: import_country_near"],
  [{ country: "Atlantis" }, "country: import_country_unknown"],
  [{ vatNumber: "DE1" }, "vatNumber: vat_number_format"],
  [{ timeZone: "Mars/Base" }, "timeZone: time_zone_invalid"],
  [{ createdAt: "2027-01-01" }, "createdAt: import_date_future"],
  [{ createdAt: "01/03/2024" }, "createdAt: import_date_invalid"],
  [{ locale: "Klingon" }, "locale: import_language_unknown"],
  [{ locale: "tlh" }, "locale: import_language_unknown"],
  [{ addressLine2: "x".repeat(101) }, "addressLine2: text_too_long"],
  [{ city: "x".repeat(61) }, "city: text_too_long"],
])("rejects %j at its cell", (cells, fault) => {
  expect(faults(cells)).toEqual([fault]);
});

test("normalizes like the customer form", () => {
  const { fields, key, email } = parseCustomer(
    {
      externalId: " cus_1 ",
      email: "Aino@Example.com",
      name: "Aino",
      country: "Finland",
      vatNumber: "fi 1234-5678",
      addressLine1: "Kaivokatu 1",
      city: "Helsinki",
      createdAt: "2023-11-02 10:20",
    },
    reading,
  );
  expect({ key, email }).toEqual({ key: "cus_1", email: "aino@example.com" });
  expect(fields).toEqual({
    external_id: "cus_1",
    email: "aino@example.com",
    name: "Aino",
    country: "FI",
    vat_number: "FI12345678",
    address: { lines: ["Kaivokatu 1"], postalCode: null, city: "Helsinki" },
    created_at: "2023-11-02T10:20:00.000Z",
  });
});

test.each([
  ["de_DE", "de"],
  ["de-AT", "de"],
  ["de_DE.UTF-8", "de"],
  ["pt_BR", "pt-BR"],
  ["EN-gb", "en-GB"],
  ["no", "nb"],
  ["de-DE, en", "de"],
])("reads the language %s", (typed, language) => {
  const { fields } = parseCustomer({ email: "a@example.com", locale: typed }, reading);
  expect(fields["locale"]).toBe(language);
});

test.each([
  [
    "german",
    { decimalMark: null, dateOrder: null },
    { decimalMark: "comma", dateOrder: "day first" },
  ],
  [
    "unclear",
    { decimalMark: "point", dateOrder: "month first" },
    { decimalMark: "point", dateOrder: "month first" },
  ],
  ["unclear", { decimalMark: null, dateOrder: "day first" }, "/decimalMark"],
  ["unclear", { decimalMark: "comma", dateOrder: null }, "/dateOrder"],
  ["plain", { decimalMark: null, dateOrder: null }, { decimalMark: null, dateOrder: null }],
] as const)("how a file with %s values is read if %j is chosen", (values, chosen, read) => {
  const columns = {
    german: [
      ["comma", "number"],
      ["day first", "date"],
    ],
    unclear: [["number"], ["date"]],
    plain: [[], []],
  } satisfies Record<string, WrittenSign[][]>;
  const readIt = () => readAs(columns[values], ["amount", "date"], chosen);
  const fault = () => {
    try {
      return readIt();
    } catch (error) {
      return error instanceof Problem ? error.extra.errors?.[0]?.pointer : error;
    }
  };
  expect(fault()).toEqual(read);
});
