import { t } from "@lingui/core/macro";
import { Fragment } from "react";

const isApple = /Mac|iP/.test(navigator.platform);
const names: Record<string, string | undefined> = {
  mod: isApple ? "⌘" : t`Ctrl`,
  shift: t`Shift`,
  escape: t`Esc`,
  enter: t`Enter`,
  arrowdown: "↓",
  arrowup: "↑",
  space: t`Space`,
  backspace: t`Backspace`,
};

/** The name on the key: "Ctrl" or "⌘" for `mod`. */
export const nameOfKey = (key: string) =>
  names[key] ?? (key.length === 1 ? key.toUpperCase() : key);

/** A shortcut as text: "Ctrl Z" for `mod+z`. */
export const keysText = (keys: string) => keys.split("+").map(nameOfKey).join(" ");

/** A shortcut such as `mod+k`, or `g a` for a sequence of two keys. */
export const Keys = ({ keys }: { keys: string }) => (
  <span className="keys">
    {keys.split(" ").map((press, place) => (
      <Fragment key={press}>
        {place > 0 && <span>{t`then`}</span>}
        {press.split("+").map((key) => (
          <kbd key={key}>{nameOfKey(key)}</kbd>
        ))}
      </Fragment>
    ))}
  </span>
);
