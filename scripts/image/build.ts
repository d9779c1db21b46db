import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run, runLoudly } from "./tools.ts";

const certificates = "/etc/ssl/certs";

/** Writes the registry and the certificates of this machine to a file, and returns the options to build with them. */
export const buildWords = (settings: string, values: Record<string, string>) => {
  const bundle = `${certificates}/ca-certificates.crt`;
  writeFileSync(
    settings,
    [
      `registry=${run("npm", "config", "get", "registry")}`,
      ...(existsSync(bundle) ? [`cafile=${bundle}`] : []),
      "",
    ].join("\n"),
  );
  return [
    "bud",
    "--isolation=chroot",
    // The OCI format has no health checks.
    "--format=docker",
    `--secret=id=npmrc,src=${settings}`,
    ...(existsSync(bundle) ? [`--volume=${certificates}:${certificates}:ro`] : []),
    ...Object.entries(values).map(([name, value]) => `--build-arg=${name}=${value}`),
  ];
};

/** Builds deploy/Containerfile. */
export const buildImage = (image: string, values: Record<string, string>) => {
  const folder = mkdtempSync(join(tmpdir(), "purser-build-"));
  try {
    const words = buildWords(join(folder, "npmrc"), values);
    runLoudly("buildah", ...words, "-t", image, "-f", "deploy/Containerfile", ".");
  } finally {
    rmSync(folder, { recursive: true });
  }
};
