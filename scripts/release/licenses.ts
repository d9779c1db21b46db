import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Component } from "./sbom.ts";

type Lock = { packages: Record<string, { version?: string; optional?: boolean }> };

/** Where npm installs a version of a package. It can be in several places, which have the same files. */
const folderOf = ({ name, version }: Component, lock: Lock) =>
  Object.entries(lock.packages).find(
    ([path, entry]) => path.endsWith(`node_modules/${name}`) && entry.version === version,
  )?.[0];

const licenseFile = /^(licen[cs]e|copying|notice)/i;

const textsIn = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && licenseFile.test(entry.name))
    .map(({ name }) => readFileSync(join(folder, name), "utf8").trim())
    .sort();

const nameOf = ({ licenses = [] }: Component) =>
  licenses
    .map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? "")
    .filter(Boolean)
    .join(", ") || "not named, see the text";

/** Packages for other machines, such as Node for 64-bit x86. */
const isLeftOut = (component: Component, root: string, lock: Lock) => {
  const place = folderOf(component, lock) ?? "";
  return lock.packages[place]?.optional === true && !existsSync(join(root, place));
};

const isOwn = ({ purl }: Component) => purl.startsWith("pkg:npm/%40purser/");

const sectionOf = (component: Component, root: string, lock: Lock) => {
  const place = folderOf(component, lock);
  const title = `${component.name} ${component.version}`;
  if (!place || !existsSync(join(root, place)))
    throw new Error(`${title} isn't installed. Run \`npm ci\`.`);
  const texts = textsIn(join(root, place));
  return [
    title,
    `License: ${nameOf(component)}`,
    "",
    ...(texts.length > 0 ? texts : ["The package has no license file."]),
  ].join("\n");
};

const line = `\n\n${"-".repeat(80)}\n\n`;

/** The licenses of all packages of an installation, with their texts. */
export const licensesOf = (components: readonly Component[], root: string) => {
  const lock: Lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const sections = components
    .filter((component) => !isOwn(component) && !isLeftOut(component, root, lock))
    .toSorted((one, other) => one.name.localeCompare(other.name, "en"))
    .map((component) => sectionOf(component, root, lock));
  const intro = `Purser contains these ${sections.length} packages, or installs them with npm ci.`;
  return `${[intro, ...sections].join(line)}\n`;
};
