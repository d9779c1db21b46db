import { pathToFileURL } from "node:url";
import { openReleases } from "../platform/http/pages/releases.ts";

const root = new URL("../../../", import.meta.url);
const built = new URL("web/dist/assets/", root);

/** The folder of the builds: the shared one, or the build of this checkout. */
export const storeOf = (shared: string | undefined) =>
  shared ? pathToFileURL(`${shared}/`) : built;

/** The build that the server shows, or null before the first. */
export const findBuild = (shared: string | undefined) =>
  openReleases(storeOf(shared), () => undefined).latest();
