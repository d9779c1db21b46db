import { answerReasons } from "@purser/contract/entitlements/explanation";
import type { Endpoint } from "@purser/contract/http/endpoint";
import { attentionKinds } from "@purser/contract/reports/attention";
import type { z } from "zod";
import type { Mode, Records } from "./separation.testing.ts";

/** The form with unsaved changes in both modes. */
export const draftForm = "apps-create";

/** Reads whose rows need more than an ID in the path, or that should also have these. */
const queries: Record<string, (records: Records) => string[]> = {
  exportAppUsage: () => ["from=2026-01-01&to=2026-12-31"],
  exportImpact: () => ["format=csv"],
  exportListJobRows: () => ["format=csv"],
  getAppImpact: ({ appId }) => [`ids=${appId}`],
  getCustomer: ({ appId }) => [`app=${appId}`],
  getFeatureImpact: ({ featureId }) => [`ids=${featureId}`],
  getFeatureOffer: ({ featureId }) => [`featureId=${featureId}`],
  listAppDenials: () => answerReasons.map((reason) => `reason=${encodeURIComponent(reason)}`),
  listAssignees: () => ["kind=disputes"],
  listAttentionRecords: () => attentionKinds.map((kind) => `kind=${encodeURIComponent(kind)}`),
  listImportMappings: () => ["kind=customers"],
  listJobs: () => ["list=users"],
  listMovements: () => ["list=gained", "list=churn"],
  listOverlapping: () => ["from=2026-01-01T00:00:00Z&to=2026-12-31T00:00:00Z"],
  listRetained: () => ["currency=EUR&cohort=2026-01-01&month=2026-02-01"],
  previewBulkApps: () => ["action=archive"],
  previewBulkFeatures: () => ["action=archive"],
  previewBulkPackages: () => ["action=archive"],
  previewBulkPromotions: () => ["action=archive"],
  previewBulkTransactions: () => ["action=tag&tag=audit"],
  previewBulkUsers: () => ["action=suspend"],
  searchIcons: () => ["q=ship"],
  testCheck: ({ appId, feature }) => [`app=${appId}&feature=${feature}`],
};

const tables: Record<string, string> = { audit: "audit_entries", customers: "users" };

/** The file with all its columns, if this is an export of a list. */
const columnsOf = ({ query }: Endpoint) => {
  const columns = query?.shape["columns"] as z.ZodType | undefined;
  const [, names = ""] = /^\^\(([^)]*)\)/.exec(String(columns?.meta()?.["pattern"])) ?? [];
  return columns ? [`format=jsonl&columns=${names.replaceAll("|", ",")}`] : [];
};

/** Records that a path can name, by what the path has before each ID. */
const paramsOf = async (path: string, { product, world }: Mode) => {
  const template = path.replaceAll(/:(\w+)/g, "{$1}");
  const known = Object.entries(world.records)
    .filter(([place]) => template === place || template.startsWith(`${place}/`))
    .flatMap(([, entries]) => entries.slice(0, 2).map(({ params }) => params));
  const place = path.split("/")[1]?.replaceAll("-", "_") ?? "";
  if (path.startsWith("/drafts/")) return [{ form: draftForm }];
  const { rows } = await product.owner
    .query<{ id: string }>(
      `select id::text from ${tables[place] ?? place} order by id desc limit 2`,
    )
    .catch(() => ({ rows: [] }));
  return [...known, ...rows];
};

export const withParams = (path: string, params: Record<string, unknown>) =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => String(params[name] ?? "1"));

/** The URLs of a read with the records of these modes, also as a search. */
export const urlsOf = async (name: string, { path, query }: Endpoint, modes: readonly Mode[]) => {
  const params = (await Promise.all(modes.map((mode) => paramsOf(path, mode)))).flat();
  const paths = path.includes("/:") ? params.map((one) => withParams(path, one)) : [path];
  const searches =
    query && "q" in query.shape ? modes.map(({ records }) => `q=${records.term}`) : [];
  const named = modes.flatMap(({ records }) => queries[name]?.(records) ?? []);
  const files = columnsOf({ query } as Endpoint);
  const found = [
    ...named,
    ...files.flatMap((file) => [file, ...searches.map((q) => `${file}&${q}`)]),
  ];
  return paths.flatMap((one) => [
    one,
    ...[...searches, ...found].map((search) => `${one}?${search}`),
  ]);
};
