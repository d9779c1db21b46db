const channel = new BroadcastChannel("purser:session");

/** Tells other tabs that a user signed in or out. */
export const announceSession = () => channel.postMessage("changed");

export const onSessionChange = (listener: () => void) => {
  channel.addEventListener("message", listener);
  return () => channel.removeEventListener("message", listener);
};
