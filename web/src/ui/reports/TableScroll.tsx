import type { ReactNode } from "react";

type Props = { label: string; children: ReactNode };

/** A table that scrolls sideways if it is too wide. It can be scrolled with the arrow keys. */
export const TableScroll = ({ label, children }: Props) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable with the keyboard.
  <section className="report-table-scroll" aria-label={label} tabIndex={0}>
    {children}
  </section>
);
