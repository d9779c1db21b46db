/** The widths of columns in CSS pixels. */
export const widthMin = 64;
export const widthMax = 800;
/** How far a key changes a width. */
export const widthStep = 16;

/** The nearest width that is allowed. */
export const widthWithin = (wanted: number) =>
  Math.min(widthMax, Math.max(widthMin, Math.round(wanted)));
