import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Component } from "./sbom.ts";

type Lock = { packages: Record<string, { version?: string; optional?: boolean }> };

type Root = { folder: string; lock: Lock };

/** Where npm installs a version of a package. It can be in several places, which have the same files. */
const placeOf = ({ name, version }: Component, roots: readonly Root[]) => {
  for (const { folder, lock } of roots)
    for (const [path, entry] of Object.entries(lock.packages))
      if (path.endsWith(`node_modules/${name}`) && entry.version === version)
        return { folder: join(folder, path), isOptional: entry.optional === true };
  return null;
};

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
const isLeftOut = (component: Component, roots: readonly Root[]) => {
  const found = placeOf(component, roots);
  return found?.isOptional === true && !existsSync(found.folder);
};

const isOwn = ({ purl }: Component) => purl.startsWith("pkg:npm/%40purser/");

const sectionOf = (component: Component, roots: readonly Root[]) => {
  const found = placeOf(component, roots);
  const title = `${component.name} ${component.version}`;
  if (!found || !existsSync(found.folder))
    throw new Error(`${title} isn't installed. Run \`npm ci\`.`);
  const texts = textsIn(found.folder);
  return [
    title,
    `License: ${nameOf(component)}`,
    "",
    ...(texts.length > 0 ? texts : ["The package has no license file."]),
  ].join("\n");
};

const line = `\n\n${"-".repeat(80)}\n\n`;

/** The licenses of all packages of an installation, with their texts, from the folders in which npm installed them. */
export const licensesOf = (components: readonly Component[], folders: readonly string[]) => {
  const roots = folders.map((folder) => ({
    folder,
    lock: JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")) as Lock,
  }));
  const sections = components
    .filter((component) => !isOwn(component) && !isLeftOut(component, roots))
    .toSorted((one, other) => one.name.localeCompare(other.name, "en"))
    .map((component) => sectionOf(component, roots));
  const intro = `Purser contains these ${sections.length} packages, or installs them with npm ci.`;
  return `${[intro, ...sections].join(line)}\n`;
};
