import { approvalStatusNames } from "#lib/labels/approvals.ts";
import type { IconName } from "#ui/iconNames.ts";
import type { StatusWord } from "#ui/Status.tsx";
import type { Approval } from "./queries.ts";

export const statusLabels: Record<Approval["status"], StatusWord> = {
  waiting: { word: approvalStatusNames.waiting, icon: "hourglass", tone: "warn" },
  approved: { word: approvalStatusNames.approved, icon: "circle-check", tone: "ok", quiet: true },
  applied: { word: approvalStatusNames.applied, icon: "circle-check", tone: "ok", quiet: true },
  rejected: { word: approvalStatusNames.rejected, icon: "circle-x", tone: "bad" },
  withdrawn: { word: approvalStatusNames.withdrawn, icon: "arrow-back-up", tone: "mute" },
  expired: { word: approvalStatusNames.expired, icon: "clock-exclamation", tone: "mute" },
  stale: { word: approvalStatusNames.stale, icon: "alert-triangle", tone: "warn" },
};

const paths: Record<string, string | undefined> = {
  transactions: "/transaction/view/",
  packages: "/package/view/",
};

export const kindIcons: Record<Approval["rule"], IconName> = {
  refund: "receipt-refund",
  price: "package",
  erase: "eraser",
  owner: "users",
  grant: "key",
  safeguard: "shield-lock",
};

/** The page of the request's subject, if it has one. */
export const placeOf = ({ entity, recordId }: Approval) => {
  const path = paths[entity];
  return path && recordId ? `${path}${recordId}` : null;
};
