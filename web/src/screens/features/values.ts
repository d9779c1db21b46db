import type { Wire } from "@purser/contract/endpoint";
import type { createFeature } from "@purser/contract/features";
import type { FeatureKind } from "@purser/contract/values";
import type { Feature } from "./queries.ts";

/** What the form holds: the details of a feature, with nothing left out. */
type Body = Wire<typeof createFeature>["body"];
export type FeatureValues = {
  [Name in Exclude<keyof Body, "reason">]-?: Exclude<Body[Name], undefined>;
};

/** What of a feature depends on its kind. */
export const shapeFields = ["unit", "reset", "combining", "options", "defaultValue"] as const;
export type FeatureShape = Pick<FeatureValues, (typeof shapeFields)[number]>;

const plainShape: FeatureShape = {
  unit: null,
  reset: null,
  combining: "largest",
  options: [],
  defaultValue: false,
};

const noOption = { code: "", name: "" };

/** What a feature of that kind begins with; what is counted stays the same where both kinds count. */
export const newShape = (kind: FeatureKind, { unit }: FeatureShape): FeatureShape => {
  switch (kind) {
    case "limit":
      return { ...plainShape, unit, defaultValue: 0 };
    case "metered":
      return { ...plainShape, unit, reset: "month", combining: "sum", defaultValue: 0 };
    case "choice":
      return { ...plainShape, options: [noOption, noOption], defaultValue: "" };
    default:
      return plainShape;
  }
};

export const shapeOf = (values: FeatureShape): FeatureShape => ({
  unit: values.unit,
  reset: values.reset,
  combining: values.combining,
  options: values.options,
  defaultValue: values.defaultValue,
});

export const emptyFeature = (appId: string): FeatureValues => ({
  appId,
  name: "",
  code: "",
  description: "",
  kind: "switch",
  ...plainShape,
  enforcement: "hard",
  fallback: "last known",
});

export const valuesOf = (feature: Feature) => ({
  values: {
    appId: feature.app.id,
    name: feature.name,
    code: feature.code,
    description: feature.description,
    kind: feature.kind,
    ...shapeOf(feature),
    enforcement: feature.enforcement,
    fallback: feature.fallback,
  },
  version: feature.version,
});
