import { expect, test } from "vitest";
import { stepOf } from "./actions.ts";

const customer = { role: null, status: "active", mergedIntoId: null } as const;

test.each([
  ["suspend", "an active customer", customer],
  ["restore", "a suspended one", { ...customer, status: "suspended" }],
  [null, "a record that was merged", { ...customer, status: "suspended", mergedIntoId: "ada" }],
  [null, "somebody erased", { ...customer, status: "erased" }],
  [null, "a team member", { ...customer, role: "support" }],
] as const)("%s is offered for %s", (step, _of, user) => {
  expect(stepOf(user)).toBe(step);
});
