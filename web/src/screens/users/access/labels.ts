import { number } from "#lib/labels.ts";
import type { Explained, Line } from "./queries.ts";

const sourceLabels: Record<Line["source"], string> = {
  transaction: "Bought",
  trial: "Trial",
  promotion: "Promotion",
  import: "Import",
  staff: "Given by hand",
};

/** The package of a grant, or the source of a single feature. */
export const titleOf = ({ package: pack, source }: Pick<Line, "package" | "source">) =>
  pack ? `${pack.name} version ${pack.number}` : sourceLabels[source];

/** The source of a value, in a few words. */
export const fromOf = ({ lines, reason }: Pick<Explained, "lines" | "reason">) => {
  const counted = lines.filter(({ isCounted }) => isCounted);
  const [first] = counted;
  if (!first) return reason === "default" ? "Default" : "In nothing held";
  const named = first.package ? `${first.package.name} v${first.package.number}` : titleOf(first);
  return counted.length > 1 ? `${named} + ${counted.length - 1} more` : named;
};

/** The usage as a short sentence; null for features without usage. */
export const useOf = ({ limit, used }: Pick<Explained, "limit" | "used">) => {
  if (used === null || used === 0) return null;
  if (limit === null || limit === 0) return `${number(used)} used`;
  return used >= limit ? `${number(used)} of ${number(limit)}, full` : `${number(used)} used`;
};

export const reasonLabels: Record<Explained["reason"], string> = {
  granted: "It is granted",
  default: "Everybody has it",
  "over limit": "All is used, and more is allowed",
  "not granted": "Nothing that is held gives it",
  "used up": "All of it is used",
  suspended: "The person is suspended",
  erased: "The person was erased",
  "app inactive": "The app is not active",
};
