import { expect, test } from "vitest";
import { vatNumber } from "./vatNumber.ts";

test.each([
  ["de 123 456 789", "DE123456789"],
  ["ATU12345678", "ATU12345678"],
  ["NL123456789B01", "NL123456789B01"],
  ["IE1234567WA", "IE1234567WA"],
  ["EL123456789", "EL123456789"],
  ["CHE-123.456.789 MWST", "CHE123456789MWST"],
])("%s is stored as %s", (typed, stored) => {
  expect(vatNumber.parse(typed)).toBe(stored);
});

test.each([
  ["DE12345678", "VAT numbers with DE look like DE123456789."],
  ["ATX12345678", "VAT numbers with AT look like ATU12345678."],
  ["123456789", "Enter the VAT number with its country code, such as DE123456789."],
  ["--", "Enter the VAT number with its country code, such as DE123456789."],
  ["", "This field is required."],
])("%s is refused: %s", (typed, message) => {
  const { error } = vatNumber.safeParse(typed);
  expect(error?.issues.map((issue) => issue.message)).toEqual([message]);
});
