import { t } from "@lingui/core/macro";
import type { createFeature } from "@purser/contract/features/endpoints";
import { featureFields, featureWritable } from "@purser/contract/features/fields";
import { defaultsOf, pick } from "@purser/contract/fields/declarations";
import type { FeatureKind } from "@purser/contract/fields/values";
import type { Wire } from "@purser/contract/http/endpoint";
import { number } from "#lib/intl.ts";
import { resetNames } from "#lib/labels/features.ts";
import { featureValue } from "#lib/labels/featureValues.ts";
import { toFormLabels } from "#ui/form/Field.tsx";
import type { FormValues } from "#ui/form/formValues.ts";
import {
  anchorLabels,
  combiningLabels,
  enforcementLabels,
  fallbackLabels,
  kindLabels,
  optionList,
  unitLabels,
} from "../labels.ts";
import type { Feature } from "../queries.ts";

export type FeatureValues = FormValues<Wire<typeof createFeature>["body"]>;

/** The fields of a feature that depend on its kind. */
export const shapeFields = [
  "unit",
  "reset",
  "anchor",
  "combining",
  "options",
  "defaultValue",
] as const;
export type FeatureShape = Pick<FeatureValues, (typeof shapeFields)[number]>;

const plainShape: FeatureShape = {
  unit: null,
  reset: null,
  anchor: "calendar",
  combining: "largest",
  options: [],
  defaultValue: false,
};

const noOption = { code: "", name: "" };

/** Initial values for a kind; the unit is kept when both kinds count something. */
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
  anchor: values.anchor,
  combining: values.combining,
  options: values.options,
  defaultValue: values.defaultValue,
});

export const emptyFeature = (appId: string): FeatureValues => ({
  appId,
  name: "",
  code: "",
  kind: "switch",
  ...defaultsOf(featureFields),
  ...plainShape,
});

export const valuesOf = (feature: Feature) => ({
  values: {
    appId: feature.app.id,
    ...pick(feature, featureWritable),
  },
  version: feature.version,
});

const optionPart = ([place = "", part = ""]: string[]) => {
  const position = number(Number(place) + 1);
  return part === "name" ? t`Name of option ${position}` : t`Code of option ${position}`;
};

export const formLabels = toFormLabels<FeatureValues, typeof featureFields>(featureFields, {
  appId: { label: featureFields.app.label },
  kind: { show: (kind) => kindLabels[kind].label },
  unit: {
    show: unitLabels,
    part: ([part]) => featureFields[part === "one" ? "unitOne" : "unitMany"].label,
  },
  reset: { show: (reset) => (reset ? resetNames[reset] : "") },
  anchor: { show: (anchor) => anchorLabels[anchor].label },
  combining: { show: (combining) => combiningLabels[combining].label },
  options: { show: optionList, part: optionPart },
  defaultValue: { show: (value, shape) => featureValue(shape, value) },
  enforcement: { show: (value) => enforcementLabels[value].label },
  fallback: { show: (value) => fallbackLabels[value].label },
});
