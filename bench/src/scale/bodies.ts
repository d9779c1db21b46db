import { keyedApp, wideApp } from "./outliers.ts";
import type { Samples } from "./samples.ts";

/** Bodies of the endpoints that only read, although they are sent with POST. */
export const bodies: Record<string, (samples: Samples) => object[]> = {
  "/packages/:id/impact": () => [{}],
  "/checks": ({ customers = [] }) => [
    {
      questions: customers.flatMap((user) =>
        ["feature-1", "feature-2", "feature-3", "absent"].map((feature) => ({ user, feature })),
      ),
    },
  ],
  "/customer-tokens": ({ customers = [] }) => customers.map((user) => ({ user })),
  "/users/:id/merge/preview": ({ users = [] }) => [{ other: users.at(-1) }],
  "/users/:id/grants/transfer/preview": ({ grants = [] }) => [
    { email: "new@example.com", grantIds: grants },
  ],
  "/promotions/preview": ({ packages = [], currencies = [] }) => [
    {
      details: { name: "Sale", kind: "percent", basisPoints: 1000, audience: "existing" },
      packageId: packages[0],
      currency: currencies[0],
      interval: "month",
    },
  ],
  "/transactions/quote": ({ packages = [], currencies = [], emails = [] }) =>
    ["new@example.com", ...emails].map((email) => ({
      email,
      packageId: packages[0],
      currency: currencies[0],
      interval: "month",
      occurredAt: new Date().toISOString(),
    })),
  "/transactions/:id/refund/preview": () => [{ of: "full", access: "keep" }],
  "/subscriptions/:id/change/preview": ({ packages = [] }) => [
    { packageId: packages[0], interval: "month", intervalCount: 1, quantity: 1, when: "now" },
  ],
};

/** Endpoints for apps that read all features. They are asked about an app with very many, too. */
export const ofAllFeatures = new Set(["/check/all", "/snapshots"]);

/** The OpenFeature Remote Evaluation Protocol, which isn't in the table of endpoints. */
const evaluation = "/ofrep/v1/evaluate/flags";

export const evaluations = ({ customers = [] }: Samples) =>
  customers.flatMap((targetingKey) =>
    [
      { flag: "", app: keyedApp },
      { flag: "", app: wideApp },
      { flag: "/feature-1", app: keyedApp },
    ].map(({ flag, app }) => ({
      url: `${evaluation}${flag}`,
      app,
      body: { context: { targetingKey } },
    })),
  );
