import { appFields, platforms } from "@purser/contract/apps/fields";
import {
  type Catalog,
  type CatalogApp,
  type CatalogFeature,
  catalog,
} from "@purser/contract/catalog/catalog";
import { enforcements, fallbacks } from "@purser/contract/features/fields";
import { defaultsOf } from "@purser/contract/fields/declarations";
import { code as codeText, text } from "@purser/contract/fields/text";
import {
  type Anchor,
  anchors,
  canFollowSubscription,
  quantityMax,
  resets,
  unlimited,
  type Value,
} from "@purser/contract/fields/values";
import { taxCategories } from "@purser/contract/money/taxRates";
import { intervals, offerOf } from "@purser/contract/packages/prices";
import fc from "fast-check";

// Texts that a YAML parser could read as something other than a string.
const tricky = [
  ..."yes no on off true null ~ 0x1f 1e5 0123 1_000 .inf 2026-01-01 = <<".split(" "),
  ..."- # : ? | > ! & * % @ ` ' \" [] {} , \\".split(" "),
  ...[
    "a: b",
    "a #b",
    "- a",
    "'tis",
    'say "so"',
    "ends with:",
    "é",
    "日本",
    "👩‍👩‍👧",
    "key: |",
    "--- x",
  ],
];
const trickyLines = [
  "a\nb",
  "a\r\nb",
  "a\n\n  b",
  "tab\tbed",
  "# a\n- b: c",
  "a \nb",
  "a\n\tb\n\nc",
];

const line = (max: number) =>
  fc
    .oneof(fc.constantFrom(...tricky), fc.string({ minLength: 1, maxLength: max, unit: "binary" }))
    .filter((value) => text({ min: 1, max }).safeParse(value).success);

const lines = fc
  .oneof(
    fc.constant(""),
    fc.constantFrom(...tricky, ...trickyLines),
    fc.array(fc.string({ maxLength: 20, unit: "grapheme" })).map((several) => several.join("\n")),
  )
  .filter((value) => text({ max: 2000, lines: true }).safeParse(value).success);

const code = fc
  .oneof(
    fc.constantFrom(
      "constructor",
      "prototype",
      "true",
      "null",
      "no",
      "on",
      "0123",
      "1e5",
      "12",
      "00",
    ),
    fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,8}[a-z0-9]$/),
  )
  .filter((value) => codeText.safeParse(value).success);

const quantity = fc.oneof(fc.nat(), fc.constantFrom(0, quantityMax), fc.constant(unlimited));
const unit = fc.option(fc.record({ one: line(30), many: line(30) }), { nil: null });
const plainKind = {
  unit: fc.constant(null),
  reset: fc.constant(null),
  anchor: fc.constant<Anchor>("calendar"),
  options: fc.constant<CatalogFeature["options"]>([]),
};

const ofKinds = fc.oneof(
  fc.record({
    ...plainKind,
    kind: fc.constant("switch" as const),
    combining: fc.constant("largest" as const),
    defaultValue: fc.boolean(),
  }),
  fc.record({
    ...plainKind,
    unit,
    kind: fc.constant("limit" as const),
    combining: fc.constantFrom("largest" as const, "sum" as const),
    defaultValue: quantity,
  }),
  fc
    .record({
      ...plainKind,
      unit,
      kind: fc.constant("metered" as const),
      reset: fc.constantFrom(...resets),
      anchor: fc.constantFrom(...anchors),
      combining: fc.constant("sum" as const),
      defaultValue: quantity,
    })
    .map((made) => ({
      ...made,
      anchor: canFollowSubscription(made.reset) ? made.anchor : ("calendar" as const),
    })),
  fc
    .uniqueArray(fc.record({ code, name: line(60) }), {
      minLength: 2,
      maxLength: 4,
      selector: (option) => option.code,
    })
    .chain((options) =>
      fc.record({
        ...plainKind,
        kind: fc.constant("choice" as const),
        combining: fc.constant("largest" as const),
        options: fc.constant(options),
        defaultValue: fc.constantFrom(...options.map((option) => option.code)),
      }),
    ),
);

type Status = "draft" | "active" | "archived";

const feature = (statuses: readonly Status[]) =>
  fc
    .tuple(
      fc.record({
        code,
        name: line(40),
        description: lines,
        enforcement: fc.constantFrom(...enforcements),
        fallback: fc.constantFrom(...fallbacks),
        status: fc.constantFrom(...statuses),
      }),
      ofKinds,
    )
    .map(([own, ofKind]): CatalogFeature => ({ ...own, ...ofKind }));

const app = (statuses: readonly Status[]): fc.Arbitrary<CatalogApp> =>
  fc
    .record({
      code,
      name: line(40),
      description: lines,
      platforms: fc.subarray([...platforms]),
      icon: fc.constantFrom("apps", "anchor", "chart-bar"),
      supportEmail: fc.constantFrom(null, "help@example.com"),
      status: fc.constantFrom(...statuses),
      features: fc.uniqueArray(feature(statuses), { maxLength: 4, selector: (one) => one.code }),
    })
    .map((own) => ({ ...defaultsOf(appFields), ...own }));

const valueFor = ({ kind, options }: CatalogFeature) => {
  if (kind === "switch") return fc.boolean();
  if (kind === "choice") return fc.constantFrom(...options.map((option) => option.code));
  return quantity;
};

const valuesOf = ({ features }: CatalogApp) =>
  fc
    .subarray(features)
    .chain((given) =>
      fc
        .tuple(...given.map((one) => valueFor(one)))
        .map((values) =>
          Object.fromEntries(given.map((one, place) => [one.code, values[place] ?? 0])),
        ),
    );

const contents = (apps: readonly CatalogApp[]) =>
  fc
    .subarray([...apps])
    .chain((included) =>
      fc
        .tuple(...included.map(valuesOf))
        .map((values) =>
          Object.fromEntries(included.map((one, place) => [one.code, values[place] ?? {}])),
        ),
    );

/** Some of the amounts, by app and feature. */
const perUnitOf = (apps: Record<string, Record<string, Value>>) => {
  const amounts = Object.entries(apps).flatMap(([app, values]) =>
    Object.entries(values).flatMap(([feature, value]) =>
      typeof value === "number" ? [{ app, feature }] : [],
    ),
  );
  return fc
    .subarray(amounts)
    .map((chosen) =>
      Object.fromEntries(
        [...Map.groupBy(chosen, ({ app }) => app)].map(([app, features]) => [
          app,
          features.map(({ feature }) => feature),
        ]),
      ),
    );
};

const price = fc
  .record({
    currency: fc.constantFrom("EUR", "USD", "JPY"),
    amount: fc.nat(),
    interval: fc.constantFrom(...intervals),
    intervalCount: fc.integer({ min: 1, max: 120 }),
    perUnit: fc.boolean(),
  })
  .map((one) => (one.interval === "once" ? { ...one, intervalCount: 1 } : one));

const onePackage = (apps: readonly CatalogApp[], archives: boolean) =>
  fc
    .record({
      code,
      name: line(40),
      description: lines,
      kind: fc.constantFrom("base" as const, "add-on" as const),
      group: fc.option(code, { nil: null }),
      baseGroups: fc.uniqueArray(code, { maxLength: 3 }),
      taxCategory: fc.constantFrom(...taxCategories),
      visibility: fc.constantFrom("public" as const, "hidden" as const),
      sort: fc.integer({ min: -1000, max: 1000 }),
      trialDays: fc.integer({ min: 0, max: 730 }),
      prices: fc.uniqueArray(price, { maxLength: 4, selector: offerOf }),
      status: archives ? fc.constantFrom(null, "archived" as const) : fc.constant(null),
      apps: contents(apps),
    })
    .map((one) => (one.kind === "base" ? { ...one, baseGroups: [] } : { ...one, group: null }))
    .chain((one) => perUnitOf(one.apps).map((perUnit) => ({ ...one, perUnit })));

/** Any catalog. Without archives, it can be applied to an empty workspace as it is. */
export const anyCatalog = ({ archives }: { archives: boolean }): fc.Arbitrary<Catalog> => {
  const statuses: Status[] = archives ? ["draft", "active", "archived"] : ["draft", "active"];
  return fc
    .uniqueArray(app(statuses), { maxLength: 4, selector: (one) => one.code })
    .chain((apps) =>
      fc
        .uniqueArray(onePackage(apps, archives), { maxLength: 4, selector: (one) => one.code })
        .map((packages) => catalog.parse({ version: 1, apps, packages })),
    );
};
