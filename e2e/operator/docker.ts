import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { makeBases } from "../../scripts/image/bases.ts";
import { buildWords } from "../../scripts/image/build.ts";
import { podmanWords } from "../../scripts/image/tools.ts";

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(" ");

const docker = (build: readonly string[]) => `#!/bin/sh
action=$1
shift
case $action in
  build) exec buildah ${quoted(build)} "$@" ;;
  run) exec podman ${quoted(podmanWords)} "$@" ;;
  *) exec podman --runtime runc "$action" "$@" ;;
esac
`;

const mount = (...words: string[]) => execFileSync("mount", words);

/**
 * This machine with `docker`, which is Podman, and with its own /etc, /srv and images. Requires mounts of its own, and an
 * empty folder for them.
 */
export const openDockerHost = (folder: string, storage: string) => {
  const path = (name: string) => {
    mkdirSync(join(folder, name), { recursive: true });
    return join(folder, name);
  };
  const layers = `lowerdir=/etc,upperdir=${path("etc")},workdir=${path("work")}`;
  mount("-t", "overlay", "overlay", "-o", layers, "/etc");
  for (const place of ["/srv", "/run/libpod"]) {
    mkdirSync(place, { recursive: true });
    mount("-t", "tmpfs", "tmpfs", place);
  }
  const settings = join(folder, "storage.conf");
  writeFileSync(
    settings,
    `[storage]\ndriver = "overlay"\ngraphroot = "${storage}"\nrunroot = "${path("containers")}"\n`,
  );
  process.env["CONTAINERS_STORAGE_CONF"] = settings;
  const { BASE, RUNTIME } = makeBases();
  const words = buildWords(join(folder, "npmrc"), { BASE, RUNTIME });
  writeFileSync(join(path("bin"), "docker"), docker(words), { mode: 0o755 });
  const env = { ...process.env, PATH: `${path("bin")}:${process.env["PATH"]}` };
  return {
    /** Runs a command in a checkout. Returns what it printed. */
    run: async (command: string, checkout: string) => {
      process.stdout.write(`operator: # ${command}\n`);
      const child = spawn("sh", ["-e", "-c", command], {
        cwd: checkout,
        env,
        stdio: ["ignore", "pipe", "pipe"],
      });
      const [stdout, stderr, [status]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, "exit"),
      ]);
      if (status !== 0) throw new Error(`${command} failed with ${status}.\n${stdout}${stderr}`);
      return stdout;
    },
  };
};
