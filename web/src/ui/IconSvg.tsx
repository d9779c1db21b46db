import type { Drawing as Drawn } from "#lib/icons/iconData.ts";

export type Look = {
  size?: number;
  /** For an icon that stands alone; one beside its word says nothing. */
  label?: string;
};

/** The box of an icon. It takes its room whether or not something is drawn in it. */
export const Drawing = ({ body, viewBox, size = 16, label }: Drawn & Look) => (
  <svg
    {...(label ? { role: "img", "aria-label": label } : { "aria-hidden": true })}
    className="icon"
    width={size}
    height={size}
    viewBox={viewBox}
    // biome-ignore lint/security/noDangerouslySetInnerHtml: the body is bundled, or was written anew by lib/icons/sanitizeSvg.ts.
    dangerouslySetInnerHTML={{ __html: body }}
  />
);
