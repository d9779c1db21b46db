import { usePreferences } from "../session/preferences.ts";
import { browserZone } from "./dates.ts";

/** The zone that this person wants times in. */
export const useZone = () => usePreferences().timeZone ?? browserZone();
