import type { AppDetails, AppStatus } from "@purser/contract/apps/fields";
import type {
  CatalogAction,
  CatalogChange,
  CatalogEntity,
  CatalogFeature,
  CatalogPackage,
} from "@purser/contract/catalog/catalog";
import type { Message } from "@purser/contract/messages/message";
import type { MatrixChange } from "@purser/contract/packages/matrix";
import { message } from "#platform/messages.ts";
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
      own: Omit<CatalogPackage, "status" | "apps" | "perUnit" | "trialDays" | "prices"> | null;
      terms: Pick<CatalogPackage, "trialDays" | "prices"> | null;
      /** Uses codes of apps and features instead of their ids. */
      contents: MatrixChange | null;
      status: "active" | "archived" | null;
    };
export type WorkOn<What extends CatalogEntity> = Extract<Work, { what: What }>;

export type Step = { shown: CatalogChange; work: Work };

type BlockingIssue = { what: CatalogEntity; code: string; message: Message; path: Path | null };

/** The findings of a comparison so far. */
export type Collected = { steps: Step[]; blockingIssues: BlockingIssue[]; notes: Message[] };
export const collect = (): Collected => ({ steps: [], blockingIssues: [], notes: [] });

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

const draftArchived = {
  app: message(
    "catalog_app_draft",
    "This app is a draft and can't be archived. Delete it, or remove it from the file.",
  ),
  feature: message(
    "catalog_feature_draft",
    "This feature is a draft and can't be archived. Delete it, or remove it from the file.",
  ),
};

const archivedDraft = {
  app: message(
    "catalog_app_archived",
    "This app is archived. Set its status to active to restore it, or to archived to keep it archived.",
  ),
  feature: message(
    "catalog_feature_archived",
    "This feature is archived. Set its status to active to restore it, or to archived to keep it archived.",
  ),
};

/** The refusal of a status that a record can't get. */
type Refused = { refused: Message };

/**
 * The action that gives a stored record the status of the file, null if none is needed, or a refusal if it is
 * impossible. A draft in the file may be active here, because publishing a package activates its features.
 */
const statusChange = (
  stored: AppStatus | null,
  wanted: AppStatus,
  what: "app" | "feature",
): StatusChange | Refused | null => {
  if (wanted === "archived") {
    if (stored === null || stored === "archived") return null;
    if (stored === "active") return { action: "archive", status: "archived" };
    return { refused: draftArchived[what] };
  }
  if (stored === null) return { action: "create", status: wanted === "active" ? "active" : null };
  if (stored === "draft" && wanted === "active") return { action: "activate", status: "active" };
  if (stored !== "archived") return unchanged;
  if (wanted === "active") return { action: "restore", status: "active" };
  return { refused: archivedDraft[what] };
};

type Compared<T> = { status: AppStatus; details: T };

/** The change to a record, null if there is none, or a refusal if it is impossible. */
export const compareRecord = <T extends object>(
  what: "app" | "feature",
  stored: Compared<T> | null,
  wanted: Compared<T>,
) => {
  const change = statusChange(stored?.status ?? null, wanted.status, what);
  if (change === null || "refused" in change) return change;
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

/** What archiving an app or a feature means, shown with the change. */
export const archiveNotes = {
  app: message(
    "catalog_app_archive_effect",
    "Customers keep their access. Packages that include this app can't be sold or published.",
  ),
  feature: message(
    "catalog_feature_archive_effect",
    "Customers keep their access. Packages that include this feature can't be sold or published.",
  ),
};

/** Drafts that are missing from the file and stay, because drafts can't be archived. */
export const draftsKept: Record<CatalogEntity, (count: number) => Message> = {
  app: (count) =>
    message(
      "catalog_draft_apps_kept",
      "{count, plural, one {# draft app isn't} other {# draft apps aren't}} in the file. Drafts can't be archived, so nothing changes.",
      { count },
    ),
  feature: (count) =>
    message(
      "catalog_draft_features_kept",
      "{count, plural, one {# draft feature isn't} other {# draft features aren't}} in the file. Drafts can't be archived, so nothing changes.",
      { count },
    ),
  package: (count) =>
    message(
      "catalog_draft_packages_kept",
      "{count, plural, one {# draft package isn't} other {# draft packages aren't}} in the file. Drafts can't be archived, so nothing changes.",
      { count },
    ),
};

/** Records that are archived in the file and don't exist here. */
export const notCreated: Record<CatalogEntity, (codes: string[]) => Message> = {
  app: (codes) =>
    message(
      "catalog_apps_not_created",
      "Archived apps that don't exist here aren't created: {codes}.",
      { codes },
    ),
  feature: (codes) =>
    message(
      "catalog_features_not_created",
      "Archived features that don't exist here aren't created: {codes}.",
      { codes },
    ),
  package: (codes) =>
    message(
      "catalog_packages_not_created",
      "Archived packages that don't exist here aren't created: {codes}.",
      { codes },
    ),
};
