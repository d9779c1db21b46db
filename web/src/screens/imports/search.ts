import type { ImportKind } from "@purser/contract/workspace/imports";

const steps = ["map", "preview", "import"] as const;

/** The step of the import, and which rows the preview shows. */
type ImportSearch = { step?: (typeof steps)[number]; show?: "rejected" };

export const readImportSearch = (
  search: Record<string, string | string[] | undefined>,
): ImportSearch => {
  const step = steps.find((one) => one === search["step"]);
  return { ...(step && { step }), ...(search["show"] === "rejected" && { show: "rejected" }) };
};

// Customers are the default. Their names are repeated here, because every page loads this file.
const otherKinds = ["subscriptions", "transactions", "codes"] as const satisfies ImportKind[];

export const readImportKind = (
  search: Record<string, string | string[] | undefined>,
): { kind?: (typeof otherKinds)[number] } => {
  const kind = otherKinds.find((one) => one === search["kind"]);
  return kind ? { kind } : {};
};
