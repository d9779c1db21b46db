import type { CatalogChange, CatalogDiff } from "@purser/contract/catalog/catalog";

const signs: Record<CatalogChange["action"], string> = {
  create: "+",
  change: "~",
  activate: "~",
  restore: "~",
  archive: "-",
};

const written = (value: unknown) => (value === null ? "(none)" : JSON.stringify(value));

const describeChange = ({ action, what, code, name, changes, note }: CatalogChange) => [
  `${signs[action]} ${action} ${what} ${code} (${name})`,
  ...changes.map(({ field, before, after }) =>
    action === "create"
      ? `    ${field}: ${written(after)}`
      : `    ${field}: ${written(before)} -> ${written(after)}`,
  ),
  ...(note ? [`    ${note}`] : []),
];

/** Describes a diff as plain text, for a terminal or a build log. */
export const describeDiff = (
  { changes, obstacles, notes }: CatalogDiff,
  file: string,
  counts: string,
) => {
  const lines = [
    ...changes.flatMap(describeChange),
    ...notes.map((note) => `Note: ${note}`),
    ...obstacles.map(
      ({ what, code, message, line, column }) =>
        `${line === null ? file : `${file}:${line}:${column}`} ${what} ${code}: ${message}`,
    ),
  ];
  const end =
    obstacles.length > 0 ? "It cannot be applied as it is." : `${counts || "Nothing differs"}.`;
  return `${[...lines, end].join("\n")}\n`;
};
