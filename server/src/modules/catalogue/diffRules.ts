import type { AppDetails, AppStatus } from "@purser/contract/apps/fields";
import type {
  CatalogueAction,
  CatalogueChange,
  Catalogued,
  CataloguedFeature,
  CataloguedPackage,
} from "@purser/contract/catalog/catalog";
import type { MatrixChange } from "@purser/contract/packages/matrix";
import { usual } from "./defaultRules.ts";
import { isSame } from "./orderRules.ts";

export type Path = readonly (string | number)[];
type Field = CatalogueChange["changes"][number];

/** What has to be written for a change. What is null stays as it is. */
type Work =
  | { what: "app"; id: string | null; details: AppDetails | null; status: AppStatus | null }
  | {
      what: "feature";
      id: string | null;
      app: string;
      details: Omit<CataloguedFeature, "status"> | null;
      status: AppStatus | null;
    }
  | {
      what: "package";
      id: string | null;
      own: Omit<CataloguedPackage, "status" | "apps" | "trialDays" | "prices"> | null;
      terms: Pick<CataloguedPackage, "trialDays" | "prices"> | null;
      /** Apps and features are named by their codes here. */
      contents: MatrixChange | null;
      status: "active" | "archived" | null;
    };
export type WorkOn<What extends Catalogued> = Extract<Work, { what: What }>;

export type Step = { shown: CatalogueChange; work: Work };

type Obstacle = { what: Catalogued; code: string; message: string; path: Path | null };

/** What a comparison found so far. */
export type Collected = { steps: Step[]; obstacles: Obstacle[]; notes: string[] };
export const collect = (): Collected => ({ steps: [], obstacles: [], notes: [] });

/** The fields that differ. Of what is new, those that say something special. */
export const fieldsOf = <T extends object>(
  before: { [K in keyof T]: unknown } | null,
  after: T,
  what: Catalogued,
): Field[] => {
  const stored = new Map(Object.entries(before ?? usual[what]));
  return Object.entries(after).flatMap(([field, value]) => {
    const isHeading = !before && (field === "code" || field === "name");
    if (isHeading || isSame(stored.get(field), value)) return [];
    return [{ field, before: before ? (stored.get(field) ?? null) : null, after: value }];
  });
};

type Life = { action: CatalogueAction; status: AppStatus | null };

const kept: Life = { action: "change", status: null };

/**
 * How what is stored comes to the status that the file gives it; null where it is left alone, a sentence where
 * it cannot be. A draft in the file asks for nothing more: publishing makes active what it sells.
 */
const lifeOf = (
  stored: AppStatus | null,
  wanted: AppStatus,
  what: "app" | "feature",
): Life | string | null => {
  if (wanted === "archived") {
    if (stored === null || stored === "archived") return null;
    if (stored === "active") return { action: "archive", status: "archived" };
    return `Only an active ${what} can be archived. This one is a draft here: delete it, or leave it out.`;
  }
  if (stored === null) return { action: "create", status: wanted === "active" ? "active" : null };
  if (stored === "draft" && wanted === "active") return { action: "activate", status: "active" };
  if (stored !== "archived") return kept;
  if (wanted === "active") return { action: "restore", status: "active" };
  return `This ${what} is archived here. Write "status: active" to restore it, or "status: archived".`;
};

type Compared<T> = { status: AppStatus; details: T };

/** What becomes of a record: null where nothing does, a sentence where it cannot. */
export const compareRecord = <T extends object>(
  what: "app" | "feature",
  stored: Compared<T> | null,
  wanted: Compared<T>,
) => {
  const life = lifeOf(stored?.status ?? null, wanted.status, what);
  if (life === null || typeof life === "string") return life;
  const { action, status } = life;
  const before = stored?.details ?? null;
  const differs = action !== "archive" && !isSame(before, wanted.details);
  if (!differs && status === null) return null;
  const changes = [
    ...(differs ? fieldsOf(before, wanted.details, what) : []),
    ...(status ? [{ field: "status", before: stored?.status ?? null, after: status }] : []),
  ];
  return { action, status, changes, details: differs ? wanted.details : null };
};

/** "1 draft stays", "3 drafts stay". */
export const staying = (count: number, what: Catalogued) =>
  count === 1
    ? `1 ${what} that the file does not have stays: it is a draft, and only what was active can be archived.`
    : `${count} ${what}s that the file does not have stay: they are drafts, and only what was active can be archived.`;

/** "1 archived app of the file is not made". */
export const notMade = (codes: readonly string[], what: Catalogued) =>
  `${codes.join(", ")}: archived in the file and unknown here, so ${codes.length === 1 ? `this ${what} is` : `these ${what}s are`} not made.`;
