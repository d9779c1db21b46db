import pg from "pg";

/** A node of a plan as PostgreSQL describes it. */
export type Node = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Shared Hit Blocks"?: number;
  "Shared Read Blocks"?: number;
  "Temp Read Blocks"?: number;
  "Temp Written Blocks"?: number;
  "Rows Removed by Filter"?: number;
  Plans?: Node[];
};

/** `ms` is how long the statement took in the database. */
export type Executed = { text: string; plan: Node; ms: number };

const collectors = new Set<(executed: Executed) => void>();

const read = (message: string): Executed | null => {
  const start = message.indexOf("{");
  if (!message.startsWith("duration:") || start < 0) return null;
  const { "Query Text": text, Plan: plan } = JSON.parse(message.slice(start)) as {
    "Query Text": string;
    Plan: Node;
  };
  return { text, plan, ms: Number.parseFloat(message.slice("duration:".length)) };
};

/**
 * Makes the database send the plan of every statement that it executed to the connection that sent it. So what is
 * measured is the statement itself, with its values, its role and its cached plan, and not a repetition.
 */
export const explainEverything = async (
  admin: pg.Client,
  database: string,
  planCacheMode: "auto" | "force_generic_plan",
) => {
  const settings = {
    session_preload_libraries: "auto_explain",
    "auto_explain.log_min_duration": "0",
    "auto_explain.log_analyze": "on",
    "auto_explain.log_buffers": "on",
    // Reading the clock for every row takes longer than the rows.
    "auto_explain.log_timing": "off",
    "auto_explain.log_format": "json",
    "auto_explain.log_level": "notice",
    client_min_messages: "notice",
    plan_cache_mode: planCacheMode,
  };
  for (const [name, value] of Object.entries(settings))
    await admin.query(`alter database ${database} set ${name} = '${value}'`);
};

// The product opens its connections itself, so this is the only place that sees what they receive.
const connect = pg.Client.prototype.connect as (...given: unknown[]) => unknown;
pg.Client.prototype.connect = function (this: pg.Client, ...given: unknown[]) {
  this.on("notice", ({ message = "" }) => {
    const executed = collectors.size > 0 ? read(message) : null;
    if (executed) for (const collect of collectors) collect(executed);
  });
  return connect.apply(this, given);
} as typeof pg.Client.prototype.connect;

/** What the database executed while the work ran. */
export const executedDuring = async <T>(work: () => Promise<T>) => {
  const executed: Executed[] = [];
  const collect = (one: Executed) => executed.push(one);
  collectors.add(collect);
  try {
    return { result: await work(), executed };
  } finally {
    collectors.delete(collect);
  }
};

/** Pages of 8 kB that the statement touched, including temporary ones. */
export const pagesOf = ({ plan }: Executed) =>
  (plan["Shared Hit Blocks"] ?? 0) +
  (plan["Shared Read Blocks"] ?? 0) +
  (plan["Temp Read Blocks"] ?? 0) +
  (plan["Temp Written Blocks"] ?? 0);

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** As many rows as a list searches are sorted in memory. */
const sortedRowsMax = 10_000;

/** What no plan of a large table may contain, however few rows it has today. The number of pages is null for small tables. */
export const faultsOf = ({ plan }: Executed, pagesOfTable: (table: string) => number | null) =>
  nodesOf(plan).flatMap((node) => {
    const table = node["Relation Name"] ?? "";
    const type = node["Node Type"];
    const pages = pagesOfTable(table);
    const touched = (node["Shared Hit Blocks"] ?? 0) + (node["Shared Read Blocks"] ?? 0);
    // A limit ends the scan of rows of which many match.
    if (type === "Seq Scan" && pages !== null && touched > pages / 2)
      return [`reads all of ${table}`];
    const sorted = node.Plans?.[0];
    if (type === "Sort" && sorted && sorted["Actual Rows"] * sorted["Actual Loops"] > sortedRowsMax)
      return [`sorts ${sorted["Actual Rows"] * sorted["Actual Loops"]} rows`];
    return [];
  });

/** Counts end at this many rows, and one more shows that there are others. */
export const countedRowsMax = 10_001;

/** The most rows that a node of the plan adds up at once. */
export const countedRowsOf = ({ plan }: Pick<Executed, "plan">) =>
  Math.max(
    0,
    ...nodesOf(plan)
      .filter((node) => node["Node Type"] === "Aggregate")
      .map((node) => node.Plans?.[0]?.["Actual Rows"] ?? 0),
  );

const indent = (depth: number) => "  ".repeat(depth);

/** The plan as an indented text. */
export const planText = (node: Node, depth = 0): string => {
  const { "Node Type": type, "Relation Name": table, "Index Name": index } = node;
  const pages = (node["Shared Hit Blocks"] ?? 0) + (node["Shared Read Blocks"] ?? 0);
  const removed = node["Rows Removed by Filter"];
  const line = [
    `${indent(depth)}${type}`,
    table && `on ${table}`,
    index && `using ${index}`,
    `rows ${node["Actual Rows"]} x ${node["Actual Loops"]}`,
    `pages ${pages}`,
    removed && `removed ${removed}`,
  ];
  return [
    line.filter(Boolean).join(" "),
    ...(node.Plans ?? []).map((one) => planText(one, depth + 1)),
  ].join("\n");
};
