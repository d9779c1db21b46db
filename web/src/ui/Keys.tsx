import { Fragment } from "react";

const isApple = /Mac|iP/.test(navigator.platform);
const names: Record<string, string | undefined> = {
  mod: isApple ? "⌘" : "Ctrl",
  shift: "Shift",
  escape: "Esc",
  enter: "Enter",
  arrowdown: "↓",
  arrowup: "↑",
  space: "Space",
};

const nameOf = (key: string) => names[key] ?? (key.length === 1 ? key.toUpperCase() : key);

/** A shortcut such as `mod+k`, or `g a` for a sequence of two keys. */
export const Keys = ({ keys }: { keys: string }) => (
  <span className="keys">
    {keys.split(" ").map((press, place) => (
      <Fragment key={press}>
        {place > 0 && <span>then</span>}
        {press.split("+").map((key) => (
          <kbd key={key}>{nameOf(key)}</kbd>
        ))}
      </Fragment>
    ))}
  </span>
);
