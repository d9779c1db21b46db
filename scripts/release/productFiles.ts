import { cpSync, globSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathOf } from "../environment.ts";

/** What an installation has, besides its packages and its build. */
const patterns = [
  "package.json",
  "package-lock.json",
  ".npmrc",
  ".env.example",
  "LICENSE",
  "README.md",
  "CHANGELOG.md",
  "contract/package.json",
  "contract/src/**/*.ts",
  "server/package.json",
  "server/migrations/*.sql",
  "server/src/**/*.{ts,ttf,txt,md,json}",
  "messages/*.po",
  "deploy/**/*",
  // The lock file lists these workspaces. Only their names are needed.
  "client/package.json",
  "web/package.json",
  "e2e/package.json",
  "bench/package.json",
  // `npm run release`, which publishes the build to a store.
  "scripts/release.ts",
  "scripts/builds.ts",
  "scripts/environment.ts",
  // The help of the dashboard.
  "docs/**/*.md",
  // The packages of the interactive API reference, which can be installed.
  "reference/package.json",
  "reference/package-lock.json",
];

const isForTests = (file: string) =>
  /\.(test|testing|fixture)\.ts$/.test(file) ||
  /^(server|contract)\/src\/(.*\/)?(testing|fuzz|attacks|moneyFaults)(\/|\.ts$)/.test(file) ||
  file.endsWith("/testTemplate.ts");

/** The files of the product without tests, sorted. */
export const productFiles = () =>
  patterns
    .flatMap((pattern) => globSync(pattern, { cwd: pathOf("."), withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(pathOf(".").length))
    .filter((file) => !isForTests(file))
    .sort();

/** Copies these files of the repository. */
export const copyFiles = (files: readonly string[], target: string) => {
  for (const file of files) {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    cpSync(pathOf(file), join(target, file));
  }
};
