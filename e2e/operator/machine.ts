import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const systemctl = fileURLToPath(new URL("systemctl.ts", import.meta.url));
const run = (file: string, ...words: string[]) => execFileSync(file, words, { stdio: "inherit" });

/**
 * A copy of this machine in memory, in which an operator can install and destroy things as root. Requires a mount
 * namespace of its own, which removes it at its end, and an empty folder.
 */
export const openMachine = (folder: string, environment: Record<string, string>) => {
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
    /** Runs a command in the folder where the last one ended. Returns what it printed. The mailbox answers meanwhile. */
    run: async (command: string) => {
      process.stdout.write(`operator: # ${command}\n`);
      const script = `cd ${cwd}\n${command} || exit 1\npwd > /run/operator-cwd`;
      // In files, because a service that a command starts keeps its output open.
      const [stdout, stderr] = [path("run/operator-stdout"), path("run/operator-stderr")];
      const files = [openSync(stdout, "w"), openSync(stderr, "w")] as const;
      const child = spawn("chroot", [root, "/bin/sh", "-e", "-c", script], {
        stdio: ["ignore", ...files],
        env: {
          PATH: "/opt/operator:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
          HOME: "/root",
          LC_ALL: "C.UTF-8",
          ...environment,
        },
      });
      const [status] = await once(child, "exit");
      for (const file of files) closeSync(file);
      const printed = readFileSync(stdout, "utf8");
      if (status !== 0)
        throw new Error(
          `${command} failed with ${status}.\n${printed}${readFileSync(stderr, "utf8")}`,
        );
      cwd = readFileSync(path("run/operator-cwd"), "utf8").trim();
      return printed;
    },
    edit: (file: string, change: (text: string) => string) =>
      writeFileSync(path(file), change(readFileSync(path(file), "utf8"))),
  };
};
export type Machine = ReturnType<typeof openMachine>;
