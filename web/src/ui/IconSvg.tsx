import type { IconData } from "#lib/icons/iconData.ts";

export type IconProps = {
  size?: number;
  /** Only for icons without text next to them. */
  label?: string;
};

/** Takes the same space whether or not the icon has loaded. */
export const IconSvg = ({ body, viewBox, size = 16, label }: IconData & IconProps) => (
  <svg
    {...(label ? { role: "img", "aria-label": label } : { "aria-hidden": true })}
    className="icon"
    width={size}
    height={size}
    viewBox={viewBox}
    // biome-ignore lint/security/noDangerouslySetInnerHtml: the body is bundled, or rebuilt by lib/icons/sanitizeSvg.ts.
    dangerouslySetInnerHTML={{ __html: body }}
  />
);
