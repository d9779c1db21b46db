import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathOf } from "../environment.ts";

/** Writes the package of the SDK to a folder, as `npm pack` makes it, and returns its name. */
export const packSdk = (folder: string, version: string) => {
  const packed = mkdtempSync(join(tmpdir(), "purser-sdk-"));
  try {
    execFileSync("npm", ["pack", "--workspace", "client", "--pack-destination", packed], {
      cwd: pathOf("."),
      stdio: ["ignore", "ignore", "pipe"],
    });
    const [made = ""] = readdirSync(packed);
    const name = `purser-client-${version}.tgz`;
    copyFileSync(join(packed, made), join(folder, name));
    return name;
  } finally {
    rmSync(packed, { recursive: true });
  }
};
