import { useSyncExternalStore } from "react";
import { createListeners } from "../listeners.ts";
import { runtime } from "./runtime.ts";

let name = runtime.company;
const { subscribe, notify } = createListeners();

/** Pages opened from now on have it from the server. */
export const setCompanyName = (next: string) => {
  name = next;
  notify();
};

export const useCompanyName = () => useSyncExternalStore(subscribe, () => name);
