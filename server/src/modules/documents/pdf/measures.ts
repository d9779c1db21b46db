/** In points. A4 is 595.28 × 841.89. */
export const page = { width: 595.28, height: 841.89, left: 48, right: 547.28, top: 45 };
export const contentWidth = page.right - page.left;

/** The dashboard's colors, on white. */
export const colors = {
  ink: "#162020",
  secondary: "#464f4f",
  muted: "#5c6565",
  hairline: "#e7eaea",
  rule: "#b6bcbc",
  sum: "#8a9292",
  done: { fill: "#effaf1", edge: "#bfe9ca" },
  open: { fill: "#fef5ea", edge: "#ffd49e" },
} as const;

export type Style = { size: number; leading: number; color: string; bold?: boolean };

export const styles = {
  title: { size: 21, leading: 25, color: colors.ink, bold: true },
  seller: { size: 13, leading: 16, color: colors.ink, bold: true },
  number: { size: 10, leading: 13, color: colors.secondary },
  heading: { size: 9.5, leading: 14, color: colors.ink, bold: true },
  strong: { size: 9.5, leading: 13.5, color: colors.ink, bold: true },
  body: { size: 9.5, leading: 13.5, color: colors.ink },
  quiet: { size: 9.5, leading: 13.5, color: colors.secondary },
  label: { size: 9.5, leading: 13.5, color: colors.muted },
  small: { size: 8.25, leading: 11.5, color: colors.muted },
  column: { size: 8.25, leading: 11.5, color: colors.muted, bold: true },
  total: { size: 12, leading: 16, color: colors.ink, bold: true },
  footer: { size: 7.5, leading: 11, color: colors.muted },
} as const satisfies Record<string, Style>;

/** The same style in another size. */
export const scaled = (style: Style, scale: number): Style => ({
  ...style,
  size: style.size * scale,
  leading: style.leading * scale,
});
