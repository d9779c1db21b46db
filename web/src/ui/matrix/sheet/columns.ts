import { t } from "@lingui/core/macro";
import { number, series } from "#lib/intl.ts";
import { versionStates } from "#lib/labels/versionStates.ts";
import type { Matrix } from "./cells.ts";

export type Column =
  | { kind: "feature"; id: string; name: string; note: string }
  | { kind: "draft"; id: string; name: string; note: string }
  | { kind: "other"; id: string; name: string; note: string; place: number };

const draftNote = ({ draft, scheduled, onSale }: Matrix["package"]) => {
  if (draft) return t`draft of version ${{ number: number(draft.number) }}`;
  const shown = scheduled ?? onSale;
  if (!shown) return "";
  const version = t`version ${{ number: number(shown.number) }}`;
  return series([version, versionStates[shown.state]]);
};

/** Order: features, lower packages, this package, higher packages. */
export const columnsOf = ({ package: own, others }: Matrix): Column[] => {
  const beside = others.map((other, place) => {
    const isBelow = other.sort < own.sort;
    const version = number(other.number);
    return {
      kind: "other" as const,
      id: other.id,
      name: other.name,
      note: isBelow ? t`version ${version}, lower tier` : t`version ${version}, higher tier`,
      place,
      isBelow,
    };
  });
  const kept = ({ isBelow: _, ...column }: (typeof beside)[number]): Column => column;
  return [
    { kind: "feature", id: "feature", name: t`Feature`, note: "" },
    ...beside.filter(({ isBelow }) => isBelow).map(kept),
    { kind: "draft", id: own.id, name: own.name, note: draftNote(own) },
    ...beside.filter(({ isBelow }) => !isBelow).map(kept),
  ];
};
