import { randomUUID } from "node:crypto";
import type { Endpoint } from "@purser/contract/http/endpoint";
import type { TestProduct } from "../../testing.ts";
import { unknownId } from "./namedRecords.testing.ts";

type Sent = { params?: object; query?: object; body?: object };

const time = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** The answer without what differs between any two requests. */
export const askIn =
  ({ call }: TestProduct) =>
  async (by: { cookie: string } | null, endpoint: Endpoint, sent: Sent, id = "") => {
    const { status, body, text } = await call(by, endpoint, {
      ...(sent as object),
      ...(endpoint.versioned && { version: 1 }),
    });
    const { requestId: _, ...shown } = body ?? {};
    const normalized = JSON.stringify(shown)
      .replaceAll(id || "no ID", "ID")
      .replaceAll(time, "time");
    return { status, text, answer: { status, shown: normalized } };
  };

/** The body or query with the user in this field. */
export const fieldsFor = (place: string, id: string) =>
  place === "users" ? { users: [{ id, version: 1 }] } : { [place]: id };

type Known = { packageId: string; otherId: string };

/** What to send to an endpoint, so that the answer depends on the record and not on the form of the request. */
export const sentBodies = ({ packageId, otherId }: Known) => {
  const wanted = { packageId, currency: "EUR", interval: "month" };
  const sale = { ...wanted, occurredAt: "2026-01-01T00:00:00Z" };
  const bodies: Record<string, object> = {
    renamePasskey: { name: "Key" },
    saveDraft: { version: 0, base: {}, values: { name: "x" } },
    rejectApproval: { reason: "No." },
    changeUser: { name: "Robin", email: `${randomUUID()}@example.com` },
    addUserNote: { text: "Called." },
    changeBalance: { currency: "EUR", amount: 100, reason: "Sorry." },
    correctUsage: { featureId: unknownId, amount: 1, reason: "Failed." },
    mergeUsers: { otherId: otherId, reason: "Twice." },
    previewMerge: { other: unknownId },
    previewTransfer: { email: "new@example.com", grantIds: [unknownId] },
    transferGrants: { email: "new@example.com", grantIds: [unknownId], reason: "Left." },
    eraseCustomer: { reason: "Asked for it." },
    changeTeamMember: { name: "Robin", role: "viewer" },
    changeKeyOrigins: { origins: ["https://example.com"] },
    grantAccess: { packageId: packageId, endsAt: null, reason: "Gift." },
    bulkUsers: { action: "suspend" },
    previewPromotion: {
      details: { name: "Sale", kind: "percent", basisPoints: 1000, audience: "existing" },
      packageId: packageId,
      currency: "EUR",
      interval: "month",
    },
    quoteSale: sale,
    createTransaction: { ...sale, state: "draft", total: 1200 },
    startTrial: wanted,
    testCheck: {},
    discardDraft: {},
    changeMatrix: {},
    publishPackage: { note: "New", impact: "0".repeat(32) },
  };
  const queries: Record<string, object> = {
    testCheck: { app: unknownId, feature: "seats" },
    getFeatureOffer: { featureId: unknownId },
    exportListJobRows: { format: "csv" },
  };
  const sentTo = (name: string, endpoint: Endpoint) => ({
    ...(endpoint.query && { query: queries[name] ?? {} }),
    ...(endpoint.body && { body: bodies[name] ?? {} }),
  });

  return { bodies, sentTo };
};
