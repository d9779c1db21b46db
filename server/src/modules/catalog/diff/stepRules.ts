import type { AppDetails, AppStatus } from "@purser/contract/apps/fields";
import type {
  CatalogAction,
  CatalogChange,
  CatalogEntity,
  CatalogFeature,
  CatalogPackage,
} from "@purser/contract/catalog/catalog";
import type { MatrixChange } from "@purser/contract/packages/matrix";
import { defaults } from "../file/defaultRules.ts";
import { isSame } from "../file/orderRules.ts";

export type Path = readonly (string | number)[];
type Field = CatalogChange["changes"][number];

/** What a change writes. Null parts are not written. */
type Work =
  | { what: "app"; id: string | null; details: AppDetails | null; status: AppStatus | null }
  | {
      what: "feature";
      id: string | null;
      app: string;
      details: Omit<CatalogFeature, "status"> | null;
      status: AppStatus | null;
    }
  | {
      what: "package";
      id: string | null;
      own: Omit<CatalogPackage, "status" | "apps" | "trialDays" | "prices"> | null;
      terms: Pick<CatalogPackage, "trialDays" | "prices"> | null;
      /** Uses codes of apps and features instead of their ids. */
      contents: MatrixChange | null;
      status: "active" | "archived" | null;
    };
export type WorkOn<What extends CatalogEntity> = Extract<Work, { what: What }>;

export type Step = { shown: CatalogChange; work: Work };

type Obstacle = { what: CatalogEntity; code: string; message: string; path: Path | null };

/** The findings of a comparison so far. */
export type Collected = { steps: Step[]; obstacles: Obstacle[]; notes: string[] };
export const collect = (): Collected => ({ steps: [], obstacles: [], notes: [] });

/** The fields that differ, or for a new record those that differ from the defaults. */
export const fieldsOf = <T extends object>(
  before: { [K in keyof T]: unknown } | null,
  after: T,
  what: CatalogEntity,
): Field[] => {
  const stored = new Map(Object.entries(before ?? defaults[what]));
  return Object.entries(after).flatMap(([field, value]) => {
    const isHeading = !before && (field === "code" || field === "name");
    if (isHeading || isSame(stored.get(field), value)) return [];
    return [{ field, before: before ? (stored.get(field) ?? null) : null, after: value }];
  });
};

type StatusChange = { action: CatalogAction; status: AppStatus | null };

const unchanged: StatusChange = { action: "change", status: null };

/**
 * The action that gives a stored record the status of the file, null if none is needed, or a message if it is
 * impossible. A draft in the file may be active here, because publishing a package activates its features.
 */
const statusChange = (
  stored: AppStatus | null,
  wanted: AppStatus,
  what: "app" | "feature",
): StatusChange | string | null => {
  if (wanted === "archived") {
    if (stored === null || stored === "archived") return null;
    if (stored === "active") return { action: "archive", status: "archived" };
    return `Only an active ${what} can be archived. This one is a draft here: delete it, or leave it out.`;
  }
  if (stored === null) return { action: "create", status: wanted === "active" ? "active" : null };
  if (stored === "draft" && wanted === "active") return { action: "activate", status: "active" };
  if (stored !== "archived") return unchanged;
  if (wanted === "active") return { action: "restore", status: "active" };
  return `This ${what} is archived here. Write "status: active" to restore it, or "status: archived".`;
};

type Compared<T> = { status: AppStatus; details: T };

/** The change to a record, null if there is none, or a message if it is impossible. */
export const compareRecord = <T extends object>(
  what: "app" | "feature",
  stored: Compared<T> | null,
  wanted: Compared<T>,
) => {
  const change = statusChange(stored?.status ?? null, wanted.status, what);
  if (change === null || typeof change === "string") return change;
  const { action, status } = change;
  const before = stored?.details ?? null;
  const differs = action !== "archive" && !isSame(before, wanted.details);
  if (!differs && status === null) return null;
  const changes = [
    ...(differs ? fieldsOf(before, wanted.details, what) : []),
    ...(status ? [{ field: "status", before: stored?.status ?? null, after: status }] : []),
  ];
  return { action, status, changes, details: differs ? wanted.details : null };
};

export const staying = (count: number, what: CatalogEntity) =>
  count === 1
    ? `1 ${what} that the file does not have stays: it is a draft, and only what was active can be archived.`
    : `${count} ${what}s that the file does not have stay: they are drafts, and only what was active can be archived.`;

export const notMade = (codes: readonly string[], what: CatalogEntity) =>
  `${codes.join(", ")}: archived in the file and unknown here, so ${codes.length === 1 ? `this ${what} is` : `these ${what}s are`} not made.`;
