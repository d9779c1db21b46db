import { allows, type Permission } from "@purser/contract/auth/permissions";
import { endpoints } from "@purser/contract/endpoints";
import type { Endpoint } from "@purser/contract/http/endpoint";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";

const { app, call, signIn } = await testProduct();

const required = "urn:purser:problem:proof_required";
const someId = "01a1dd06-0000-7000-8000-000000000000";
const params = { id: someId, keyId: someId, exportId: someId, noteId: someId };

/** What a stolen session must not do. An endpoint that is added here without the flag fails the test. */
const mustHaveProof = {
  keys: ["createAppKey", "revokeAppKey", "changeKeyOrigins"],
  serviceAccounts: [
    "createServiceAccount",
    "changeServiceAccount",
    "restoreServiceAccount",
    "createServiceKey",
    "rotateServiceKey",
  ],
  roles: [
    "changeTeamMember",
    "inviteTeamMember",
    "removeTeamMember",
    "resendTeamMemberInvitation",
    "restoreTeamMember",
    "suspendTeamMember",
  ],
  settings: ["changeSettings", "createTaxRate", "changeTaxRate", "deleteTaxRate"],
  webhooks: [
    "createWebhookEndpoint",
    "changeWebhookEndpoint",
    "rotateWebhookSecret",
    "disableWebhookEndpoint",
    "enableWebhookEndpoint",
    "deleteWebhookEndpoint",
  ],
  exports: [
    "exportApps",
    "exportFeatures",
    "exportPackages",
    "exportPromotions",
    "exportTransactions",
    "exportUsers",
    "exportAudit",
    "exportCodes",
    "exportImpact",
    "exportRolloutMigrations",
    "exportAppUsage",
    "exportCatalog",
    "requestPersonalExport",
    "getPersonalExport",
    "downloadListJob",
    "exportListJobRows",
    "exportRejectedRows",
    "startAppsExport",
    "startFeaturesExport",
    "startPackagesExport",
    "startPromotionsExport",
    "startTransactionsExport",
    "startUsersExport",
  ],
  imports: ["startImport", "undoImport"],
  erasure: ["eraseCustomer"],
  approvals: ["approveApproval", "rejectApproval"],
  factors: [
    "startTotp",
    "confirmTotp",
    "removeTotp",
    "startPasskey",
    "addPasskey",
    "removePasskey",
    "resetTeamMemberTwoFactor",
  ],
};

const flagged = Object.entries(endpoints).filter(([, { proof }]) => proof === "recent");

test("D6 sensitive endpoints require a recent proof", () => {
  const listed = [...Object.values(mustHaveProof).flat(), "checkConfirmation"];
  expect(flagged.map(([name]) => name).sort()).toEqual(listed.sort());
});

test("D6 every file requires one, except single documents, sums and diagnostics", () => {
  const files = Object.entries(endpoints).filter(([, { file, proof }]) => file && !proof);
  expect(files.map(([name]) => name)).toEqual([
    "getDiagnostics",
    "getDocumentFile",
    "getReportFile",
  ]);
});

test("D6 refunds and changes of balances require one above the limit", () => {
  const found = Object.entries(endpoints).filter(([, { proof }]) => proof === "recent above limit");
  expect(found.map(([name]) => name).sort()).toEqual([
    "changeBalance",
    "disputeTransaction",
    "refundTransaction",
  ]);
});

const stale = await signIn("owner", "Stale", "stale");
const fresh = await signIn("owner");
const viewer = await signIn("viewer", "Viewer", "stale");
const codeOf = async (person: { cookie: string }, endpoint: Endpoint) => {
  const { status, body } = await call(person, endpoint, { params: params as never });
  return { status, type: body?.["type"] };
};

test.each(flagged)("D6 %s refuses a session without a recent proof", async (_name, endpoint) => {
  expect(await codeOf(stale, endpoint)).toEqual({ status: 403, type: required });
  expect((await codeOf(fresh, endpoint)).type).not.toBe(required);
});

test.each(flagged.filter(([, { file }]) => file))(
  "D6 %s refuses it also with HEAD",
  async (_name, { path }) => {
    const url = `/api${path.replace(/:\w+/g, someId)}`;
    const headers = { cookie: stale.cookie };
    expect((await app.inject({ method: "HEAD", url, headers })).statusCode).toBe(403);
  },
);

const forbidden = flagged.filter(
  ([, { permission }]) => permission !== "signed in" && !allows("viewer", permission as Permission),
);

test.each(forbidden)(
  "D6 %s refuses a role without permission as before",
  async (_name, endpoint) => {
    expect((await codeOf(viewer, endpoint)).type).toBe("urn:purser:problem:forbidden");
  },
);
