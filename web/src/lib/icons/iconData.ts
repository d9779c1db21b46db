import { sanitizeSvg } from "./sanitizeSvg.ts";

/** The content of an icon's `<svg>` and its viewBox. */
export type IconData = { body: string; viewBox: string };

type Size = { left?: unknown; top?: unknown; width?: unknown; height?: unknown };
type Icon = Size & { body?: unknown };
type Alias = Size & { parent: string; rotate?: unknown; hFlip?: unknown; vFlip?: unknown };

/** The answer of Purser's icon endpoint and of Iconify's. */
export type IconReply = Size & {
  icons?: Record<string, Icon>;
  aliases?: Record<string, Alias>;
};

const ownOf = <Value>(values: Record<string, Value> = {}, name: string) =>
  Object.hasOwn(values, name) ? values[name] : undefined;

/** Looks an icon up by name or alias. Rotated and flipped aliases aren't supported. */
const iconOf = (answer: IconReply, name: string): Icon | undefined => {
  const icon = ownOf(answer.icons, name);
  const alias = ownOf(answer.aliases, name);
  if (icon || !alias || alias.rotate || alias.hFlip || alias.vFlip) return icon;
  const parent = iconOf(answer, alias.parent);
  return parent && { ...parent, ...alias };
};

export const readIcon = (answer: IconReply, collection: string, name: string): IconData | null => {
  const icon = iconOf(answer, name);
  if (typeof icon?.body !== "string") return null;
  const body = sanitizeSvg(icon.body, `icon-${collection}-${name}-`);
  // Iconify's default size is 16.
  const { left = 0, top = 0, width = 16, height = 16 } = { ...answer, ...icon };
  return body === null ? null : { body, viewBox: [left, top, width, height].map(Number).join(" ") };
};
