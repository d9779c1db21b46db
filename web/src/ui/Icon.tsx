import { bodies } from "virtual:icons";
import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import { iconState, loadIcon, onIconsChanged } from "#lib/icons/iconStore.ts";
import { Drawing, type Look } from "./IconSvg.tsx";
import type { IconName } from "./iconNames.ts";

const viewBox = "0 0 24 24";

const bundledBody = (name: string) => {
  const short = name.replace(/^tabler:/, "");
  return Object.hasOwn(bodies, short) ? bodies[short] : undefined;
};

/** An icon that is not bundled: an empty box until it is there, and if there is none. */
const LoadedIcon = ({ name, ...look }: Look & { name: string }) => {
  const state = useSyncExternalStore(onIconsChanged, () => iconState(name));
  // The effects of one screen run together, so its icons are asked for together.
  useEffect(() => {
    if (state === undefined) loadIcon(name);
  }, [name, state]);
  const drawing = typeof state === "object" ? state : { body: "", viewBox };
  return <Drawing {...drawing} {...look} />;
};

const AnyIcon = ({ name, ...look }: Look & { name: string }) => {
  const body = bundledBody(name);
  return body ? (
    <Drawing body={body} viewBox={viewBox} {...look} />
  ) : (
    <LoadedIcon name={name} {...look} />
  );
};

type Props = Look & { name: IconName | `${string}:${string}` };

/** One of the screens' own icons, or one of a named collection. It never stands alone where a word fits. */
export const Icon: (props: Props) => ReactNode = AnyIcon;

/** The icon that somebody chose for a record. */
export const Tile = ({ icon, size = 32 }: { icon: string; size?: 20 | 26 | 32 | 40 }) => (
  <span className="tile" data-size={size}>
    <AnyIcon name={icon} size={Math.round(size * 0.62)} />
  </span>
);
