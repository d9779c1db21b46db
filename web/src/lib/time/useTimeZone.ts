import { usePreferences } from "../session/preferences.ts";
import { browserTimeZone } from "./dates.ts";

/** The user's preferred time zone. */
export const useTimeZone = () => usePreferences().timeZone ?? browserTimeZone();
