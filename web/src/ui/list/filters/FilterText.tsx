import type { Piece } from "./filterLabels.ts";

/** A filter's sentence with its field and value emphasized. */
export const FilterText = ({ pieces }: { pieces: readonly Piece[] }) =>
  pieces.map(({ text, role }) => {
    if (role === "field") return <b key={role}>{text}</b>;
    return role === "value" ? <span key={role}>{text}</span> : text;
  });
