import { endpoints } from "@purser/contract/endpoints";
import type { Endpoint } from "@purser/contract/http/endpoint";
import { expect, test } from "vitest";
import { confirmedAction } from "./confirmedActions.ts";

const protectedCalls = (Object.values(endpoints) as Endpoint[])
  // Files are downloaded after another call that asks for the confirmation.
  .filter(({ proof, file }) => proof !== undefined && !file)
  .map(({ method, path }) => `${method} ${path}`);

test.each(protectedCalls)("D6 the confirmation names the action of %s", (operation) => {
  expect(confirmedAction({ operation, body: {} })).toBeTruthy();
});

test("D6 the confirmation names the record", () => {
  const operation = "POST /apps/:id/keys";
  expect(confirmedAction({ operation, body: { name: "Production" } })).toBe(
    "Create the API key “Production”",
  );
  expect(confirmedAction({ operation, body: {}, action: "Approve “Refund”" })).toBe(
    "Approve “Refund”",
  );
});
