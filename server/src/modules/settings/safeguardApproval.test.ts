import { defaultRetention } from "@purser/contract/workspace/retention";
import { noSeller, type SettingsDetails } from "@purser/contract/workspace/settings";
import { expect, test } from "vitest";
import { packagesIn, safeguardApproval } from "./safeguardApproval.ts";

const before: SettingsDetails = {
  companyName: "Northquay",
  timeZone: "UTC",
  currencies: [],
  twoFactorRoles: ["owner", "admin"],
  twoFactorGraceDays: 7,
  passwordsAllowed: true,
  signInGroups: [],
  graceDays: 3,
  refundLimits: { EUR: 10_000, PLN: 40_000 },
  refundDailyLimits: {},
  refundCustomerLimits: {},
  grantLimits: { support: { days: 90, packages: ["p1"] } },
  approvalRules: ["refund", "grant"],
  approvalDays: 7,
  waitingHours: 48,
  taxIncluded: [],
  seller: noSeller,
  invoicePrefix: "INV-",
  creditNotePrefix: "CN-",
  sendDocuments: false,
  documentRetentionYears: 10,
  accountCodes: {},
  retention: defaultRetention,
};

const factsOf = (changes: Partial<SettingsDetails>) => {
  const change = { before, after: { ...before, ...changes } };
  return safeguardApproval(change, new Map([["p1", "Studio"]])).facts;
};

test("D4 approvers see limits by currency", () => {
  expect(factsOf({ refundLimits: { EUR: 50_000, PLN: 40_000, USD: 100 } })).toEqual([
    { label: "Refund limit, EUR", value: "100.00 EUR → 500.00 EUR" },
    { label: "Refund limit, USD", value: "None → 1.00 USD" },
  ]);
});

test("D8 approvers see the limits of grants with the names of packages", () => {
  const grantLimits = { support: { days: null, packages: ["p1", "gone"] } };
  expect(factsOf({ grantLimits })).toEqual([
    {
      label: "Grants by role Support",
      value: "Up to 90 days, only Studio → No time limit, only Studio, a deleted package",
    },
  ]);
  expect(packagesIn({ before, after: { ...before, grantLimits } })).toEqual(["p1", "gone"]);
});

test("D4 approvers see every other setting in words", () => {
  expect(
    factsOf({
      approvalRules: [],
      twoFactorRoles: ["owner"],
      waitingHours: 24,
      graceDays: 1,
      passwordsAllowed: false,
      signInGroups: [{ group: "staff", role: "owner" }],
      seller: { ...noSeller, name: "Northquay Ltd" },
    }),
  ).toEqual([
    { label: "Two-factor authentication", value: "Owner, Admin → Owner" },
    { label: "Password sign-in", value: "Allowed → Not allowed" },
    { label: "Groups and roles", value: "None → staff as Owner" },
    { label: "Grace period", value: "3 days → 1 day" },
    {
      label: "Requires approval",
      value: "Refund above the limit, Granting access above the limit → None",
    },
    { label: "Waiting period", value: "48 hours → 24 hours" },
    { label: "Seller", value: "Changed" },
  ]);
});

test("approvers see how long the sign-in log would be kept", () => {
  const [fact] = factsOf({ retention: { ...defaultRetention, signInDays: 90 } });
  expect(fact?.label).toBe("Data retention");
  expect(fact?.value).toContain("sign-in log: 400 days");
  expect(fact?.value).toContain("sign-in log: 90 days");
  expect(fact?.value).toContain("provider events: forever");
});
