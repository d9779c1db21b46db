import fc from "fast-check";
import { parametersIn, type Target } from "../document.ts";
import { type Known, known } from "./known.ts";

const versions = [
  'W/"1"',
  "*",
  '"1"',
  '"0"',
  '"999999999"',
  '"9999999999"',
  '"1", "2"',
  "1",
  "",
  '"',
];

/** The name under which used idempotency keys are remembered. */
export const usedKeysOf = ({ operationId }: Target) => `Idempotency-Key of ${operationId}`;

/** If-Match and Idempotency-Key in every valid and invalid form. */
export const oddRequiredHeaders = (target: Target) => {
  const names = parametersIn(target, "header").map(({ name }) => name);
  const odd: Record<string, fc.Arbitrary<string | Known | null>> = {
    "If-Match": fc.constantFrom(null, ...versions),
    "Idempotency-Key": fc.oneof(
      fc.constantFrom("k".repeat(255), "k".repeat(256), "k".repeat(4000)),
      fc.constantFrom(null, "", "short", "with space", "ké-12345"),
      known(usedKeysOf(target), fc.constant("first-key-of-all")),
    ),
  };
  return names.map((name) =>
    (odd[name] ?? fc.constant(null)).map((value) => ({ headers: { [name.toLowerCase()]: value } })),
  );
};
