/** If the search field doesn't appear by then, keys work as usual again. */
const longestMs = 5_000;

let typed = "";
let entered = false;
let isTaken = false;
let stop: (() => void) | null = null;

const hold = (event: KeyboardEvent) => {
  const { key, ctrlKey, metaKey, altKey, isComposing } = event;
  if (ctrlKey || metaKey || altKey || isComposing) return;
  if (key === "Enter") entered = true;
  else if (key === "Backspace") typed = typed.slice(0, -1);
  else if (key.length === 1) typed += key;
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
};

/** Keeps the keys typed from now on until the search field takes them over. */
export const holdKeys = () => {
  if (stop || isTaken) return;
  typed = "";
  entered = false;
  const timer = setTimeout(() => stop?.(), longestMs);
  addEventListener("keydown", hold, { capture: true });
  stop = () => {
    clearTimeout(timer);
    removeEventListener("keydown", hold, { capture: true });
    stop = null;
  };
};

/** What was typed before the search field appeared, and whether Enter followed. It gets all further keys. */
export const takeKeys = () => {
  stop?.();
  isTaken = true;
  const taken = { typed, entered };
  typed = "";
  entered = false;
  return taken;
};

/** The search field is closed. */
export const releaseKeys = () => {
  isTaken = false;
};

/** Whether the search field has the keys. */
export const isSearching = () => isTaken;
