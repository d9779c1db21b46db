import type { StatusWord } from "#ui/Status.tsx";
import type { Approval } from "./queries.ts";

export const statusLabels: Record<Approval["status"], StatusWord> = {
  waiting: { word: "Waiting", icon: "hourglass", tone: "warn" },
  approved: { word: "Approved", icon: "circle-check", tone: "ok", quiet: true },
  rejected: { word: "Rejected", icon: "circle-x", tone: "bad" },
  withdrawn: { word: "Withdrawn", icon: "arrow-back-up", tone: "mute" },
  expired: { word: "Expired", icon: "clock-exclamation", tone: "mute" },
  stale: { word: "Overtaken", icon: "alert-triangle", tone: "warn" },
};

export const ruleLabels: Record<Approval["rule"], string> = {
  refund: "Refund above the limit",
  price: "New prices",
  erase: "Erasing a person",
  owner: "Role of owner",
};

const paths: Record<string, string | undefined> = {
  transactions: "/transaction/view/",
  packages: "/package/view/",
};

/** The page of the request's subject, if it has one. */
export const placeOf = ({ entity, recordId }: Approval) => {
  const path = paths[entity];
  return path && recordId ? `${path}${recordId}` : null;
};
