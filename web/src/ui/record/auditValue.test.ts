import { expect, test } from "vitest";
import { formatAuditValue } from "./auditValue.ts";

test.each([
  [true, "Yes"],
  [false, "No"],
  [1500, "1,500"],
  [["owner", true], "owner and Yes"],
  ["Harbor", "Harbor"],
  [null, "None"],
])("shows %j as %j", (value, text) => {
  expect(formatAuditValue(value)).toBe(text);
});
