import { inject } from "vitest";

/** Scales a timeout written for two idle cores to the current speed of this machine. */
export const patiently = (milliseconds: number) => Math.ceil(milliseconds * inject("slowness"));
