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
  ...(note ? [`    ${note.text}`] : []),
];

/** Describes a diff as plain text, for a terminal or a build log. */
export const describeDiff = (
  { changes, blockingIssues, notes }: CatalogDiff,
  file: string,
  counts: string,
) => {
  const lines = [
    ...changes.flatMap(describeChange),
    ...notes.map((note) => `Note: ${note.text}`),
    ...blockingIssues.map(
      ({ what, code, message, line, column }) =>
        `${line === null ? file : `${file}:${line}:${column}`} ${what} ${code}: ${message.text}`,
    ),
  ];
  const end =
    blockingIssues.length > 0
      ? "The file can't be applied. Fix the errors above."
      : `${counts || "No changes"}.`;
  return `${[...lines, end].join("\n")}\n`;
};
