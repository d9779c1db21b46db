import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { Plugin } from "vite";

const contract = new URL("../contract/src/", import.meta.url);
const full = "?full";
const jitless = new URL("src/lib/api/zodJitless.ts", import.meta.url).pathname;

const runtimeImport = /^(?:import|export) (?!type\b)[^;]*? from "([^"]+)"/gm;

/** Whether a module uses zod, directly or through imports. Others need no change. */
const usesSchemas = (file: URL): boolean =>
  [...readFileSync(file, "utf8").matchAll(runtimeImport)].some(
    ([, from = ""]) => from === "zod" || (from.startsWith(".") && usesSchemas(new URL(from, file))),
  );

const isEndpoint = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && "method" in value && "permission" in value;

const isPlain = (value: unknown): boolean => {
  if (value === null || ["string", "number", "boolean"].includes(typeof value)) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  const isObject = typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype;
  return isObject && Object.values(value as object).every(isPlain);
};

/** The part of an endpoint that the client needs: no schemas. */
const callable = ({ method, path, body, keyed, versioned, ...more }: Record<string, unknown>) => ({
  method,
  path,
  ...(body ? { body: true } : {}),
  ...(keyed === false ? { keyed } : {}),
  ...(versioned ? { versioned } : {}),
  // Lists show the button of a file only to those who may export it.
  ...(more["file"] ? { permission: more["permission"] } : {}),
});

const exportOf = (name: string, value: unknown, file: string) => {
  if (isEndpoint(value)) return `export const ${name} = ${JSON.stringify(callable(value))};`;
  if (isPlain(value)) return `export const ${name} = ${JSON.stringify(value)};`;
  return `export { ${name} } from ${JSON.stringify(file + full)};`;
};

type Node = { type: string; start: number; end: number };
type Declaration = Node & { declarations?: { init: Node | null }[] };
type Statement = Declaration & { declaration?: Declaration | null };

/** Marks top-level calls as pure, so that unused schemas are dropped next to used functions. */
const markCallsPure = (code: string, statements: readonly Statement[]) => {
  const calls = statements
    .flatMap((statement) => (statement.declaration ?? statement).declarations ?? [])
    .flatMap(({ init }) => (init?.type === "CallExpression" ? [init] : []));
  let result = code;
  for (const { start, end } of calls.toReversed())
    result = `${result.slice(0, start)}/* @__PURE__ */ (() => ${result.slice(start, end)})()${result.slice(end)}`;
  return result;
};

/**
 * Contract modules for the browser: endpoints and constants without zod, which is a tenth of the
 * first screen's budget. Real schemas are loaded only where a form uses them.
 */
export const lightContract = (): Plugin => ({
  name: "light-contract",
  enforce: "pre",
  resolveId: (id) => {
    const [, name] = /^@purser\/contract\/([\w/]+)$/.exec(id) ?? [];
    return name ? `\0contract:${name}` : null;
  },
  async load(id) {
    const [, name] = /^\0contract:([\w/]+)$/.exec(id) ?? [];
    if (!name) return null;
    const file = new URL(`${name}.ts`, contract);
    this.addWatchFile(file.pathname);
    if (!usesSchemas(file))
      return { code: `export * from ${JSON.stringify(file.pathname)};`, moduleSideEffects: false };
    const exported: Record<string, unknown> = await import(pathToFileURL(file.pathname).href);
    const lines = Object.entries(exported).map(([one, value]) =>
      exportOf(one, value, file.pathname),
    );
    return { code: lines.join("\n"), moduleSideEffects: false };
  },
  transform(code, id) {
    if (!id.startsWith(contract.pathname)) return null;
    if (!usesSchemas(pathToFileURL(id.replace(full, "")))) return null;
    const { body } = this.parse(code, { lang: "ts" });
    // Must run before the first schema is created: zod would try `new Function`, which the CSP
    // blocks.
    return {
      code: `import ${JSON.stringify(jitless)};\n${markCallsPure(code, body as Statement[])}`,
      map: null,
      moduleSideEffects: false,
    };
  },
});
