import { runtime } from "#lib/page/runtime.ts";

let { clockAheadMs } = runtime;

/** Now, by the clock that the records have: that of test mode may be ahead. */
export const currentTime = () => new Date(Date.now() + clockAheadMs);

/** After the clock of test mode was moved. */
export const setCurrentTime = (at: string) => {
  clockAheadMs = Date.parse(at) - Date.now();
};
