import { readFileSync } from "node:fs";
import { pathOf } from "../environment.ts";
import { endpointTables, permissionTable, roleTable } from "./access.ts";
import { configurationTable } from "./configuration.ts";
import { decisionTable } from "./decisions.ts";
import { blockOf, textsIn, withBlock } from "./markdown.ts";
import { commandList, helpBlock, jobTable, metricTables } from "./processes.ts";

type Blocks = Record<string, (stored: string) => string>;

/** The pages with generated parts, and what generates each. */
const generated: Record<string, Blocks> = {
  "README.md": { commands: commandList },
  "docs/decisions/README.md": { decisions: decisionTable },
  "docs/reference/api.md": { endpoints: endpointTables },
  "docs/reference/cli.md": { help: helpBlock },
  "docs/reference/configuration.md": { variables: configurationTable },
  "docs/reference/jobs.md": { jobs: jobTable },
  "docs/reference/metrics.md": {
    metrics: () => metricTables().own,
    "node metrics": () => metricTables().others,
  },
  "docs/reference/permissions.md": { roles: roleTable, permissions: permissionTable },
};

export const referencePages = Object.keys(generated);

const read = (page: string) => readFileSync(pathOf(page), "utf8");

/** The page with its generated parts as they should be. */
export const writtenPage = (page: string, stored = read(page)) =>
  Object.entries(generated[page] ?? {}).reduce(
    (text, [block, generate]) => withBlock(text, block, generate(blockOf(text, block))),
    stored,
  );

/** What is wrong with a stored page. */
export const faultsIn = (page: string, stored = read(page)) => {
  const outdated = writtenPage(page, stored) === stored ? [] : ["Run `npm run reference`."];
  const undescribed = page.endsWith("/jobs.md")
    ? [...textsIn(writtenPage(page, stored))].filter(([, text]) => text === "")
    : [];
  return [
    ...outdated,
    ...undescribed.map(([name]) => `Write the purpose of ${name} in its last column.`),
  ].map((fault) => `${page}: ${fault}`);
};
