import type { RevertPreview } from "@purser/contract/workspace/audit";
import type { Entry, Stored } from "./activity.ts";

type Instead = {
  detail: string;
  place: NonNullable<RevertPreview["refusal"]>["place"];
};

type Way = { detail: string; label?: string; pathOf?: (id: string, row: Stored) => string | null };

const at = (path: string) => (id: string) => `${path}/${id}`;
const ofPackage = (_: string, row: Stored) =>
  typeof row["package_id"] === "string" ? `/package/view/${row["package_id"]}` : null;
const ofUser = (id: string, row: Stored) =>
  `/users/view/${typeof row["user_id"] === "string" ? row["user_id"] : id}`;

const published =
  "What was published or sold stays as it was. Start a draft from an earlier version and publish that.";
const offer = "Amounts, codes, packages and people of a promotion are changed at the promotion.";
const kept = "It tells what happened, and stays.";
const secret = "What somebody signs in with is never set back. They choose another.";

const ways: Record<string, Way | undefined> = {
  transactions: {
    detail: "A settled sale is corrected by a refund, one that is not settled by voiding it.",
    label: "Open the transaction",
    pathOf: at("/transaction/view"),
  },
  subscriptions: {
    detail: "What somebody holds is changed by moving or ending the subscription.",
    label: "Open the person",
    pathOf: ofUser,
  },
  package_versions: { detail: published, label: "Open the package", pathOf: ofPackage },
  version_apps: { detail: published },
  version_values: { detail: published },
  version_prices: { detail: published },
  rollouts: {
    detail: "Holders who moved stay. Publish the earlier values as a new version.",
    label: "Open the package",
    pathOf: ofPackage,
  },
  grants: {
    detail: "A right is ended by ending what it came from; a new one is given by hand.",
    label: "Open the person",
    pathOf: ofUser,
  },
  promotion_amounts: { detail: offer },
  promotion_codes: { detail: offer },
  promotion_packages: { detail: offer },
  promotion_people: { detail: offer },
  user_notes: { detail: "A note stays as it was written. Strike it, and write another." },
  app_keys: {
    detail: "A key that was revoked may be known to others. Make a new one.",
    label: "Open the app",
    pathOf: (_, row) => (typeof row["app_id"] === "string" ? `/apps/view/${row["app_id"]}` : null),
  },
  users: {
    detail: "What is kept of a person is changed at the person, so that the same rules hold.",
    label: "Open the person",
    pathOf: ofUser,
  },
  apps: {
    detail: "This part of an app is changed at the app.",
    label: "Open the app",
    pathOf: at("/apps/view"),
  },
  features: {
    detail: "This part of a feature is changed at the feature.",
    label: "Open the feature",
    pathOf: at("/feature/view"),
  },
  packages: {
    detail: "This part of a package is changed at the package.",
    label: "Open the package",
    pathOf: at("/package/view"),
  },
  promotions: {
    detail: "Publish, pause, resume or archive it at the promotion; uses are never taken back.",
    label: "Open the promotion",
    pathOf: at("/promotion/edit"),
  },
  webhook_endpoints: {
    detail: "Enable, disable or create it anew among the webhooks.",
    label: "Open the webhooks",
    pathOf: () => "/webhook",
  },
  passwords: { detail: secret },
  authenticators: { detail: secret },
  passkeys: { detail: secret },
  approvals: { detail: kept },
  exports: { detail: kept },
  audit_redactions: { detail: kept },
};

const other: Way = { detail: "This cannot be set back from the log. Change it where it is kept." };

/** What to do about an entry that cannot be set back, and where. */
export const revertAdvice = ({ entity, recordId }: Entry, row: Stored): Instead => {
  const { detail, label, pathOf } = ways[entity] ?? other;
  const path = pathOf?.(recordId, row) ?? null;
  return { detail, place: label && path ? { label, path } : null };
};
