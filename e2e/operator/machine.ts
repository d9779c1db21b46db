import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const systemctl = fileURLToPath(new URL("systemctl.ts", import.meta.url));
const run = (file: string, ...words: string[]) => execFileSync(file, words, { stdio: "inherit" });

/**
 * A copy of this machine in memory, in which an operator can install and destroy things as root. Requires a mount
 * namespace of its own, which removes it at its end.
 */
export const openMachine = (environment: Record<string, string>) => {
  const folder = mkdtempSync(join(tmpdir(), "purser-operator-"));
  run("mount", "-t", "tmpfs", "tmpfs", folder);
  const [upper, work, root] = ["upper", "work", "root"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [upper, work, root]) mkdirSync(path);
  const layers = `lowerdir=/,upperdir=${upper},workdir=${work}`;
  run("mount", "-t", "overlay", "overlay", "-o", layers, root);
  run("mount", "-t", "proc", "proc", join(root, "proc"));
  for (const name of ["dev", "sys"]) run("mount", "--rbind", `/${name}`, join(root, name));
  const bin = join(root, "opt/operator");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "systemctl"), `#!/bin/sh\nexec ${process.execPath} ${systemctl} "$@"\n`);
  chmodSync(join(bin, "systemctl"), 0o755);
  let cwd = "/root";
  const path = (of: string) => join(root, of);
  return {
    path,
    /** Runs a command in the folder where the last one ended. Returns what it printed. */
    run: (command: string) => {
      process.stdout.write(`operator: # ${command}\n`);
      const script = `cd ${cwd}\n${command} || exit 1\npwd > /run/operator-cwd`;
      const { status, stdout, stderr } = spawnSync(
        "chroot",
        [root, "/bin/sh", "-e", "-c", script],
        {
          encoding: "utf8",
          env: {
            PATH: "/opt/operator:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            HOME: "/root",
            LC_ALL: "C.UTF-8",
            ...environment,
          },
        },
      );
      if (status !== 0) throw new Error(`${command} failed with ${status}.\n${stdout}${stderr}`);
      cwd = readFileSync(path("run/operator-cwd"), "utf8").trim();
      return stdout;
    },
    edit: (file: string, change: (text: string) => string) =>
      writeFileSync(path(file), change(readFileSync(path(file), "utf8"))),
  };
};
export type Machine = ReturnType<typeof openMachine>;
