import type { Value } from "@purser/contract/fields/values";
import type { Matrix, MatrixApp, MatrixFeature } from "./cells.ts";

export const idOf = (number: number) =>
  `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;

type Given = Partial<MatrixFeature> & { id: string };

export const limitFeature = (given: Given): MatrixFeature => ({
  code: given.id.slice(-3),
  name: `Limit ${Number(given.id.slice(-12))}`,
  kind: "limit",
  unit: { one: "seat", many: "seats" },
  reset: null,
  combining: "largest",
  options: [],
  defaultValue: 0,
  status: "active",
  value: null,
  perUnit: false,
  onSale: null,
  onSalePerUnit: false,
  others: [],
  ...given,
});

export const switchFeature = (given: Given): MatrixFeature =>
  limitFeature({ kind: "switch", unit: null, defaultValue: false, ...given });

export const choiceFeature = (given: Given): MatrixFeature =>
  limitFeature({
    kind: "choice",
    unit: null,
    defaultValue: "pdf",
    options: [
      { code: "pdf", name: "PDF" },
      { code: "epub", name: "PDF, EPUB" },
    ],
    ...given,
  });

export const appWith = (id: string, features: MatrixFeature[]): MatrixApp => ({
  id,
  code: `app-${Number(id.slice(-12))}`,
  name: `App ${Number(id.slice(-12))}`,
  icon: "apps",
  status: "active",
  included: true,
  onSale: true,
  features,
});

const brief = {
  id: idOf(7001),
  number: 7,
  state: "draft" as const,
  note: null,
  publishAt: null,
  publishedAt: null,
  archived: [],
};

export const matrixWith = (apps: MatrixApp[], more: Partial<Matrix> = {}): Matrix => ({
  package: {
    id: idOf(9000),
    code: "studio",
    name: "Studio",
    description: "",
    kind: "base",
    group: null,
    baseGroups: [],
    taxCategory: "standard",
    visibility: "public",
    sort: 2,
    status: "active",
    codeFrozen: true,
    draft: brief,
    scheduled: null,
    onSale: { ...brief, id: idOf(6001), number: 6, state: "on sale" },
    trialDays: 0,
    prices: [],
    apps: apps.length,
    subscribers: { count: 0, kind: "exact" },
    version: 1,
    createdAt: "2026-11-01T00:00:00.000Z",
    updatedAt: "2026-11-01T00:00:00.000Z",
  },
  others: [],
  apps,
  ...more,
});

/** The matrix with other values in some cells. */
export const withValues = (matrix: Matrix, values: Record<string, Value | null>): Matrix => ({
  ...matrix,
  apps: matrix.apps.map((app) => ({
    ...app,
    features: app.features.map((feature) =>
      feature.id in values ? { ...feature, value: values[feature.id] ?? null } : feature,
    ),
  })),
});
