import { cleanSvg } from "./sanitizeSvg.ts";

/** What stands inside of an icon's box, and the part of the plane that it shows. */
export type Drawing = { body: string; viewBox: string };

type Size = { left?: unknown; top?: unknown; width?: unknown; height?: unknown };
type Icon = Size & { body?: unknown };
type Alias = Size & { parent: string; rotate?: unknown; hFlip?: unknown; vFlip?: unknown };

/** As our server and Iconify's answer. */
export type IconAnswer = Size & {
  icons?: Record<string, Icon>;
  aliases?: Record<string, Alias>;
};

const ownOf = <Value>(values: Record<string, Value> = {}, name: string) =>
  Object.hasOwn(values, name) ? values[name] : undefined;

/** An icon by its name, or by another name of it. One that is turned or mirrored for that is not drawn. */
const iconOf = (answer: IconAnswer, name: string): Icon | undefined => {
  const icon = ownOf(answer.icons, name);
  const alias = ownOf(answer.aliases, name);
  if (icon || !alias || alias.rotate || alias.hFlip || alias.vFlip) return icon;
  const parent = iconOf(answer, alias.parent);
  return parent && { ...parent, ...alias };
};

export const drawingIn = (answer: IconAnswer, collection: string, name: string): Drawing | null => {
  const icon = iconOf(answer, name);
  if (typeof icon?.body !== "string") return null;
  const body = cleanSvg(icon.body, `icon-${collection}-${name}-`);
  // Where nobody says a size, the collections mean 16.
  const { left = 0, top = 0, width = 16, height = 16 } = { ...answer, ...icon };
  return body === null ? null : { body, viewBox: [left, top, width, height].map(Number).join(" ") };
};
