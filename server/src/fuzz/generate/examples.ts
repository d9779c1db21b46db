import fc from "fast-check";
import { known } from "./known.ts";

const text = fc.constant("Fuzz");
const customerEmail = known("customerEmail", fc.constant("nobody@example.com"));
const anyEmail = fc.oneof(
  customerEmail,
  fc.uuid().map((id) => `${id}@example.com`),
);
const ofKnown = (name: string) => known(name, fc.uuid());

const offer = {
  packageId: ofKnown("packageId"),
  currency: fc.constant("EUR"),
  interval: fc.constant("month"),
};
const sale = { email: anyEmail, ...offer };
// After the package went on sale and not in the future.
const lately = known("soldAt", fc.constant("2026-01-01T00:00:00Z"));

const promotion = fc.record({
  name: text,
  kind: fc.constant("percent"),
  basisPoints: fc.integer({ min: 1, max: 10_000 }),
});

const use = fc.record({
  id: fc.uuid(),
  user: customerEmail,
  feature: known("feature", fc.constant("fuzz-feature")),
});

/**
 * Bodies whose fields must fit each other and existing records. Generated from the schema alone, nearly all would
 * fail the first check.
 */
export const examples: Record<string, fc.Arbitrary<unknown>> = {
  createFeature: fc.record({
    code: fc.uuid().map((id) => `fuzz-${id}`),
    name: text,
    kind: fc.constant("limit"),
    defaultValue: fc.nat(),
    appId: ofKnown("appId"),
  }),
  grantAccess: fc.record({
    userId: ofKnown("customerId"),
    packageId: ofKnown("packageId"),
    endsAt: fc.constant(null),
    reason: text,
  }),
  transferGrants: fc.record({
    email: customerEmail,
    grantIds: fc.tuple(ofKnown("movableId")),
    reason: text,
  }),
  recordUsage: fc.record({ events: fc.tuple(use) }),
  consumeUsage: use,
  reserveUsage: use,
  upsertCustomer: fc.record({ email: fc.uuid().map((id) => `${id}@example.com`), name: text }),
  previewMerge: fc.record({ other: customerEmail }),
  mergeUsers: fc.record({ otherId: ofKnown("customerId"), reason: text }),
  createPromotion: promotion,
  changePromotion: promotion,
  previewPromotion: fc.record({ details: promotion, ...offer }),
  startSimulation: fc.record({ details: promotion }),
  quoteSale: fc.record({ ...sale, occurredAt: lately }),
  createTransaction: fc.record({
    ...sale,
    occurredAt: lately,
    state: fc.constantFrom("draft", "pending"),
    total: fc.constant(1200),
  }),
  startTrial: fc.record(sale),
  createWebhookEndpoint: fc.record({
    url: fc.uuid().map((id) => `https://93.184.216.34/${id}`),
    types: fc.constant(["transaction.changed"]),
  }),
  changeUser: fc.record({ name: text, email: anyEmail }),
};
