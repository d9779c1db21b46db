import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeDebian } from "../../scripts/image/debian.ts";

/** A Debian 12 with systemd and nothing that Purser needs. It is kept for the next time. */
export const findDebian = () => {
  const folder = join(tmpdir(), "purser-operator-debian-12");
  if (existsSync(folder)) return folder;
  const partial = mkdtempSync(`${folder}-`);
  try {
    makeDebian(partial, ["ca-certificates", "dbus", "systemd", "systemd-sysv"]);
    renameSync(partial, folder);
  } catch (error) {
    rmSync(partial, { recursive: true });
    throw error;
  }
  return folder;
};
