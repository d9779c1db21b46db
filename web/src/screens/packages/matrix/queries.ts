import { getApp, listApps } from "@purser/contract/apps/endpoints";
import { listFeatures } from "@purser/contract/features/endpoints";
import type { Wire } from "@purser/contract/http/endpoint";
import { listPackages } from "@purser/contract/packages/endpoints";
import { getMatrix } from "@purser/contract/packages/matrix";
import { previewImpact } from "@purser/contract/packages/publishing";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import type { MatrixApp, MatrixChange, MatrixFeature } from "#ui/matrix/sheet/cells.ts";

export type Impact = Wire<typeof previewImpact>["reply"];
type Feature = Wire<typeof listFeatures>["reply"]["items"][number];
export type FoundApp = Wire<typeof listApps>["reply"]["items"][number];

export const readMatrix = (id: string, compared?: string) =>
  call(getMatrix, { params: { id }, query: compared ? { with: compared } : {} });

export const matrixQuery = (id: string, compared?: string) =>
  queryOptions({
    queryKey: ["packages", "matrix", id, compared ?? ""],
    queryFn: () => readMatrix(id, compared),
    placeholderData: keepPreviousData,
  });

export const noChange: MatrixChange = { addApps: [], removeApps: [], cells: [], perUnit: [] };

/** The impact of the draft with a change. A newer change aborts the previous request. */
export const impactQuery = (id: string, draftId: string, change: MatrixChange) =>
  queryOptions({
    queryKey: ["packages", "impact", id, draftId, JSON.stringify(change)],
    queryFn: ({ signal }) => call(previewImpact, { params: { id }, body: change, signal }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });

const foundMax = 20;

/** Searches apps that can be added to a package. */
export const findApps = async (q: string, signal: AbortSignal) =>
  (
    await call(listApps, {
      query: { ...(q && { q }), f: ["status:none:archived"], sort: "name", size: `${foundMax}` },
      signal,
    })
  ).items;

export const findPackages = async (q: string, signal: AbortSignal) =>
  (
    await call(listPackages, {
      query: { ...(q && { q }), f: ["status:none:archived"], sort: "sort", size: `${foundMax}` },
      signal,
    })
  ).items;

const asCell = (feature: Feature): MatrixFeature => {
  const { id, code, name, kind, unit, reset, combining, options, defaultValue, status } = feature;
  return {
    id,
    code,
    name,
    kind,
    unit,
    reset,
    combining,
    options,
    defaultValue,
    status,
    value: null,
    perUnit: false,
    onSale: null,
    onSalePerUnit: false,
    others: [],
  };
};

/** An app with all its features, as it is added to a package. */
export const readApp = async (app: Pick<FoundApp, "id" | "code" | "name" | "icon" | "status">) => {
  const features: MatrixFeature[] = [];
  let after: string | null = "";
  while (after !== null) {
    const page: Wire<typeof listFeatures>["reply"] = await call(listFeatures, {
      query: {
        f: [`app:any:${app.id}`, "status:none:archived"],
        // The same order as after saving.
        sort: "createdAt",
        size: "100",
        count: "none",
        ...(after && { after }),
      },
    });
    features.push(...page.items.map(asCell));
    after = page.next;
  }
  const { id, code, name, icon, status } = app;
  const read: MatrixApp = {
    id,
    code,
    name,
    icon,
    status,
    included: false,
    onSale: false,
    features,
  };
  return read;
};

export const readAppById = async (id: string) => readApp(await call(getApp, { params: { id } }));
