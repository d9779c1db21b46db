import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("../", import.meta.url);
export const pathOf = (path: string) => fileURLToPath(new URL(path, root));

const purserArguments = ["--env-file-if-exists=.env", "server/src/main.ts"];

/** Runs a script with this version of Node, and shows its output. */
export const node = (...words: string[]) => {
  const { status } = spawnSync(process.execPath, words, {
    cwd: pathOf("."),
    stdio: ["ignore", "inherit", "inherit"],
  });
  // The script has printed its error.
  if (status !== 0) process.exit(1);
};

/** Runs a CLI command and shows its output. */
export const purser = (...words: string[]) => node(...purserArguments, ...words);

/** Creates `.env` from the example once, with its own secret. */
export const ensureEnvironment = () => {
  if (existsSync(pathOf(".env"))) return;
  const example = readFileSync(pathOf(".env.example"), "utf8");
  const secret = randomBytes(32).toString("base64");
  writeFileSync(pathOf(".env"), example.replace(/^SECRET_KEYS=$/m, `SECRET_KEYS=${secret}`), {
    mode: 0o600,
  });
  console.log("Created .env from .env.example with a new secret key.");
};
