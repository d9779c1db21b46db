import { formatMoney } from "@purser/contract/fields/money";
import { type Value, wordsOf } from "@purser/contract/fields/values";
import { getPackageActivity } from "@purser/contract/packages/endpoints";
import { packageLabels } from "@purser/contract/packages/fields";
import { intervals } from "@purser/contract/packages/prices";
import { useInfiniteQuery, useQueries, useQuery } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { periodLabel } from "#lib/money/prices.ts";
import { formatExact } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import {
  Activity,
  activityQueryOf,
  type ColumnLabels,
  type Entry,
  historyLabels,
  lifeDeedOf,
} from "#ui/record/Activity.tsx";
import { kindLabels, modeLabels, stateLabels, visibilityLabels } from "../labels.ts";
import { type Contents, contentsQuery, type Package, versionsQuery } from "../queries.ts";

const labelIn =
  <Words extends Record<string, { label: string }>>(words: Words) =>
  (value: unknown) =>
    words[String(value)]?.label ?? String(value);

const momentLabels = (zone: string) => (value: unknown) =>
  formatExact(zone, new Date(String(value)));

const columnLabels = (stored: Package, zone: string) =>
  historyLabels(packageLabels, {
    kind: { show: labelIn(kindLabels) },
    visibility: { show: labelIn(visibilityLabels) },
    activatedAt: { show: momentLabels(zone) },
    packageId: { label: "Package", show: () => stored.name },
    number: { label: "Version" },
    state: {
      label: "State",
      show: (state) =>
        Object.entries(stateLabels).find(([one]) => one === state)?.[1].word ?? String(state),
    },
    note: { label: "Note" },
    publishAt: { label: "Goes on sale", show: momentLabels(zone) },
    publishedAt: { label: "Published", show: momentLabels(zone) },
    publishedBy: { label: "Published by", show: (_, { actor }) => actor.name ?? "somebody" },
    rollout: {
      label: "Rollout",
      show: (rollout) =>
        Object.entries(modeLabels).find(([mode]) =>
          JSON.stringify(rollout).includes(`"${mode}"`),
        )?.[1] ?? JSON.stringify(rollout),
    },
  });

const offerPattern = /^([A-Z]{3}) every (\d+) (\w+)$/;

/** Each price is a field, named by its currency and interval. */
const offerLabels = (field: string): ColumnLabels => {
  const [, currency = "", intervalCount = "1", named] = offerPattern.exec(field) ?? [];
  const interval = intervals.find((one) => one === named);
  if (!interval) return {};
  const period = periodLabel({ interval, intervalCount: Number(intervalCount) });
  return {
    [field]: {
      label: `${currency}, ${period.toLowerCase()}`,
      show: (amount) => formatMoney(Number(amount), currency),
    },
  };
};

/** Each app and each feature is a field, named by its id. */
const contentLabels = (contents: Contents["contents"]): ColumnLabels =>
  Object.fromEntries(
    contents.flatMap((app) => [
      [app.id, { label: app.name, show: () => "included" }],
      ...app.features.map((feature) => [
        feature.id,
        {
          label: `${feature.name} (${app.name})`,
          show: (value: unknown) => wordsOf(feature, value as Value),
        },
      ]),
    ]),
  );

const idPattern = /^[0-9a-f]{8}-/;

/** Names are known only for what is still in a version. */
const lostLabels = (field: string): ColumnLabels =>
  idPattern.test(field) ? { [field]: { label: `No longer in it: …${field.slice(-4)}` } } : {};

const versionVerbs: Record<string, string | undefined> = {
  scheduled: "scheduled",
  "on sale": "published",
  superseded: "replaced",
  retired: "took off sale",
  draft: "took off the schedule",
};

const partLabels: Record<string, { what: string; came: string; went: string } | undefined> = {
  version_values: { what: "values in", came: "set values in", went: "took values out of" },
  version_prices: { what: "prices of", came: "added prices to", went: "took prices out of" },
  version_apps: { what: "apps of", came: "put apps into", went: "took apps out of" },
};

const deedIn = (numbers: Map<string, number>) => (entry: Entry) => {
  const { entity, action, changes, recordId } = entry;
  const told = changes.find(({ field }) => field === "number");
  const number = numbers.get(recordId) ?? told?.after ?? told?.before;
  const version = number ? `version ${number}` : "a draft that was discarded";
  const parts = partLabels[entity];
  if (parts) {
    const verb = { insert: parts.came, update: `changed ${parts.what}`, delete: parts.went };
    return `${verb[action]} ${version}`;
  }
  if (entity !== "package_versions") return lifeDeedOf(entry, "the package");
  if (action === "insert") return `started ${version} as a draft`;
  if (action === "delete") return `discarded ${version}`;
  const state = changes.find(({ field }) => field === "state")?.after;
  return `${versionVerbs[String(state)] ?? "changed"} ${version}`;
};

const activityQuery = (id: string) =>
  activityQueryOf("packages", id, (query) => call(getPackageActivity, { params: { id }, query }));

const versionsMax = 12;

/** The history of a package, its versions and their content. */
export const PackageActivity = ({ stored }: { stored: Package }) => {
  const zone = useTimeZone();
  const query = activityQuery(stored.id);
  const { data } = useInfiniteQuery(query);
  const { data: versions = [] } = useQuery(versionsQuery(stored.id));
  const contents = useQueries({
    queries: versions.slice(0, versionsMax).map(({ number }) => contentsQuery(stored.id, number)),
  });
  const fields = new Set(
    data?.pages.flatMap(({ items }) =>
      items.flatMap(({ changes }) => changes.map(({ field }) => field)),
    ),
  );
  const words: ColumnLabels = Object.assign(
    columnLabels(stored, zone),
    ...[...fields].flatMap((field) => [lostLabels(field), offerLabels(field)]),
    ...contents.map((one) => contentLabels(one.data?.contents ?? [])),
  );
  const numbers = new Map(versions.map(({ id, number }) => [id, number]));
  return <Activity query={query} deedOf={deedIn(numbers)} words={words} />;
};
