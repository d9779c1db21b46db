import { bodies } from "virtual:icons";
import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import { iconState, loadIcon, onIconsChanged } from "#lib/icons/iconStore.ts";
import { type IconProps, IconSvg } from "./IconSvg.tsx";
import type { IconName } from "./iconNames.ts";

const viewBox = "0 0 24 24";

const bundledBody = (name: string) => {
  const short = name.replace(/^tabler:/, "");
  return Object.hasOwn(bodies, short) ? bodies[short] : undefined;
};

/** Icons that aren't bundled show an empty box until loaded, or if they don't exist. */
const LoadedIcon = ({ name, ...look }: IconProps & { name: string }) => {
  const state = useSyncExternalStore(onIconsChanged, () => iconState(name));
  // Effects of one render run together, so their icons are requested in one batch.
  useEffect(() => {
    if (state === undefined) loadIcon(name);
  }, [name, state]);
  const drawing = typeof state === "object" ? state : { body: "", viewBox };
  return <IconSvg {...drawing} {...look} />;
};

const AnyIcon = ({ name, ...look }: IconProps & { name: string }) => {
  const body = bundledBody(name);
  return body ? (
    <IconSvg body={body} viewBox={viewBox} {...look} />
  ) : (
    <LoadedIcon name={name} {...look} />
  );
};

type Props = IconProps & { name: IconName | `${string}:${string}` };

/**
 * A bundled icon, or one of a named collection. Always next to a text label where there is room.
 */
export const Icon: (props: Props) => ReactNode = AnyIcon;

/** The icon chosen for a record. */
export const Tile = ({ icon, size = 32 }: { icon: string; size?: 20 | 26 | 32 | 40 }) => (
  <span className="tile" data-size={size}>
    <AnyIcon name={icon} size={Math.round(size * 0.62)} />
  </span>
);
