import type { Matrix } from "./cells.ts";

export type Column =
  | { kind: "feature"; id: string; name: string; note: string }
  | { kind: "draft"; id: string; name: string; note: string }
  | { kind: "other"; id: string; name: string; note: string; place: number };

/** The column's name in a sentence. */
export const columnLabels = ({ name, note }: Column) => (note ? `${name} ${note}` : name);

const draftNote = ({ draft, scheduled, onSale }: Matrix["package"]) => {
  if (draft) return `draft of version ${draft.number}`;
  const shown = scheduled ?? onSale;
  return shown ? `version ${shown.number}, ${shown.state}` : "";
};

/** Order: features, lower packages, this package, higher packages. */
export const columnsOf = ({ package: own, others }: Matrix): Column[] => {
  const beside = others.map(({ id, name, number, sort }, place) => ({
    kind: "other" as const,
    id,
    name,
    note: `version ${number}, ${sort < own.sort ? "below" : "above"}`,
    place,
    isBelow: sort < own.sort,
  }));
  const kept = ({ isBelow: _, ...column }: (typeof beside)[number]): Column => column;
  return [
    { kind: "feature", id: "feature", name: "Feature", note: "" },
    ...beside.filter(({ isBelow }) => isBelow).map(kept),
    { kind: "draft", id: own.id, name: own.name, note: draftNote(own) },
    ...beside.filter(({ isBelow }) => !isBelow).map(kept),
  ];
};
