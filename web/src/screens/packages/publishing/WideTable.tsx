import type { ReactNode } from "react";

/** A table that scrolls sideways on a narrow screen. */
export const WideTable = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard.
  <section className="scroll-x" aria-label={label} tabIndex={0}>
    <table className="plain-table">{children}</table>
  </section>
);
