import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run, runLoudly } from "./tools.ts";

const certificates = "/etc/ssl/certs";

/** Builds deploy/Containerfile with the registry and the certificates of this machine. */
export const buildImage = (image: string, values: Record<string, string>) => {
  const folder = mkdtempSync(join(tmpdir(), "purser-build-"));
  const settings = join(folder, "npmrc");
  const bundle = `${certificates}/ca-certificates.crt`;
  try {
    writeFileSync(
      settings,
      [
        `registry=${run("npm", "config", "get", "registry")}`,
        ...(existsSync(bundle) ? [`cafile=${bundle}`] : []),
        "",
      ].join("\n"),
    );
    runLoudly(
      "buildah",
      "bud",
      "--isolation=chroot",
      // The OCI format has no health checks.
      "--format=docker",
      `--secret=id=npmrc,src=${settings}`,
      ...(existsSync(bundle) ? [`--volume=${certificates}:${certificates}:ro`] : []),
      ...Object.entries(values).map(([name, value]) => `--build-arg=${name}=${value}`),
      "-t",
      image,
      "-f",
      "deploy/Containerfile",
      ".",
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
};
