import type { AnswerReason } from "@purser/contract/entitlements/explanation";
import { Link, useSearch } from "@tanstack/react-router";
import { reasonNames } from "#lib/labels/reasons.ts";
import { useMay } from "#lib/session/session.ts";

type Props = {
  reason: AnswerReason;
  /** Null for all features. */
  feature: string | null;
};

/** A reason that opens the denied customers. Of features that don't exist, customers aren't recorded. */
export const ReasonLink = ({ reason, feature }: Props) => {
  const { period } = useSearch({ from: "/apps/view/$id" });
  const mayRead = useMay("users:read");
  if (!mayRead || reason === "unknown feature") return reasonNames[reason];
  const search = {
    tab: "integration",
    ...(period && { period }),
    reason,
    ...(feature !== null && { feature }),
  };
  return (
    <Link to="." search={search as never} className="sentence-link">
      {reasonNames[reason]}
    </Link>
  );
};
