import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const namespace = "purser-release";
const sumsFile = "SHA256SUMS";

/** Writes the checksums of files in the format of `sha256sum`. */
export const writeChecksums = (folder: string, files: readonly string[]) => {
  const lines = files.map((file) => {
    const hash = createHash("sha256").update(readFileSync(join(folder, file)));
    return `${hash.digest("hex")}  ${file}\n`;
  });
  writeFileSync(join(folder, sumsFile), lines.join(""));
};

/** Signs the checksums with an SSH key, which makes SHA256SUMS.sig. */
export const signChecksums = (folder: string, key: string) =>
  execFileSync("ssh-keygen", ["-Y", "sign", "-f", key, "-n", namespace, join(folder, sumsFile)], {
    stdio: ["inherit", "ignore", "pipe"],
  });
