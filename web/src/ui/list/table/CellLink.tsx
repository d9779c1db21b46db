import type { ReactNode } from "react";
import { pageAddress } from "#lib/page/runtime.ts";

/** A link in a row beside the row's own, opened by the table too. */
export const CellLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <a href={pageAddress(to)} data-place={to} className="cell-link">
    {children}
  </a>
);
