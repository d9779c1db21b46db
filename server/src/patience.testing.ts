import { inject } from "vitest";

/** A deadline in milliseconds for two idle cores, as long as it has to be on this machine. */
export const patiently = (milliseconds: number) => Math.ceil(milliseconds * inject("slowness"));
