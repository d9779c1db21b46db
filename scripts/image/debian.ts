import { rmSync } from "node:fs";
import { join } from "node:path";
import { runLoudly } from "./tools.ts";

/** Writes a Debian 12 to an empty folder. DEBIAN_MIRROR names another mirror than the one of debootstrap. */
export const makeDebian = (folder: string, packages: readonly string[]) => {
  const mirror = process.env["DEBIAN_MIRROR"];
  const words = ["--variant=minbase", `--include=${packages.join(",")}`, "bookworm", folder];
  runLoudly("debootstrap", ...words, ...(mirror ? [mirror] : []));
  rmSync(join(folder, "var/cache/apt"), { recursive: true, force: true });
};
