const channel = new BroadcastChannel("purser:session");

/** Tells this browser's other tabs that somebody signed in or out here. */
export const announceSession = () => channel.postMessage("changed");

export const onSessionElsewhere = (listener: () => void) => {
  channel.addEventListener("message", listener);
  return () => channel.removeEventListener("message", listener);
};
