import { readFileSync } from "node:fs";

export type Environment = Record<string, string | undefined>;

const suffix = "_FILE";

const reasons: Record<string, string> = {
  ENOENT: "doesn't exist",
  EACCES: "can't be read by this user",
  EISDIR: "is a folder",
};

const reasonOf = (error: unknown) =>
  reasons[error instanceof Error && "code" in error ? String(error.code) : ""] ?? "can't be read";

const readValue = (name: string, path: string): { value: string } | { fault: string } => {
  try {
    // Editors and `echo` end a file with a newline.
    const value = readFileSync(path, "utf8").replace(/\r?\n$/, "");
    return value === "" ? { fault: `The file of ${name}${suffix} is empty: ${path}.` } : { value };
  } catch (error) {
    return { fault: `The file of ${name}${suffix} ${reasonOf(error)}: ${path}.` };
  }
};

/**
 * Every variable can also be given as the path of a file with its value, as `NAME_FILE`, because secrets of containers
 * are files. Empty variables are missing ones.
 */
export const withFiles = (environment: Environment, names: readonly string[]) => {
  const given: Environment = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== ""),
  );
  const faults: string[] = [];
  for (const name of names) {
    const path = given[`${name}${suffix}`];
    if (path === undefined) continue;
    if (given[name] !== undefined) {
      faults.push(`${name} and ${name}${suffix} are both set. Remove one of them.`);
      continue;
    }
    const read = readValue(name, path);
    if ("fault" in read) faults.push(read.fault);
    else given[name] = read.value;
  }
  return { given, faults };
};
