import type { ReactNode } from "react";
import { pageAddress } from "#lib/page/runtime.ts";

/** A second link in a row, also opened by the table. */
export const CellLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <a href={pageAddress(to)} data-place={to} className="cell-link">
    {children}
  </a>
);
