import { usePreferences } from "./preferences.ts";
import { browserZone } from "./zones.ts";

/** The zone that this person wants times in. */
export const useZone = () => usePreferences().timeZone ?? browserZone();
