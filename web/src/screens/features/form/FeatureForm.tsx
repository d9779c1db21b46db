import type { FeatureKind } from "@purser/contract/fields/values";
import { Link } from "@tanstack/react-router";
import { useRef } from "react";
import { AppPicker } from "#screens/apps/Picker.tsx";
import { Field, FormSection } from "#ui/form/Field.tsx";
import { inputsOf } from "#ui/form/inputs/inputs.tsx";
import { type CodeScope, NameAndCode } from "#ui/form/inputs/NameAndCode.tsx";
import { RadioCards } from "#ui/form/inputs/RadioCards.tsx";
import { ReadOnlyField } from "#ui/form/inputs/ReadOnlyField.tsx";
import type { RecordForm } from "#ui/form/useRecordForm.ts";
import { enforcementLabels, fallbackLabels, kindLabels } from "../labels.ts";
import { type Feature, readFeatures } from "../queries.ts";
import { ValueEditor } from "./ValueEditor.tsx";
import {
  type FeatureShape,
  type FeatureValues,
  formLabels,
  newShape,
  shapeFields,
  shapeOf,
} from "./values.ts";

type Props = {
  record: RecordForm<FeatureValues>;
  /** The stored feature; absent while creating one. */
  feature: Feature | null;
};

const { TextField } = inputsOf<FeatureValues>();

const stays = "A published package uses it, so this stays.";

const frozenCode = (feature: Feature) => (
  <>
    {stays}{" "}
    <Link to="/feature/create" search={{ from: feature.id }} className="sentence-link">
      Duplicate the feature
    </Link>{" "}
    to use another.
  </>
);

/** Codes are unique within an app. */
const codeScope = (appId: string): CodeScope | null =>
  appId === ""
    ? null
    : {
        queryKey: ["features", appId],
        find: (code, signal) =>
          readFeatures(
            { f: [`app:any:${appId}`, `code:is:${code}`], size: "1", count: "none" },
            signal,
          ),
      };

const AppField = ({ record, feature }: Props) => {
  if (feature)
    return (
      <ReadOnlyField
        label={formLabels.appId.label}
        value={feature.app.name}
        why="A feature stays with its app."
      />
    );
  const { error } = record.form.getInputProps("appId");
  return (
    <AppPicker
      path="appId"
      help="The app whose code asks for it."
      value={record.form.values.appId}
      onChange={(id) => record.form.setFieldValue("appId", id)}
      error={error}
    />
  );
};

/** Each kind has its own values. Switching back restores what was typed for a kind. */
const useKind = ({ form, stored }: RecordForm<FeatureValues>) => {
  const typed = useRef<Partial<Record<FeatureKind, FeatureShape>>>({});
  return (kind: FeatureKind) => {
    const { values } = form;
    typed.current[values.kind] = shapeOf(values);
    const known = stored.values.kind === kind ? shapeOf(stored.values) : null;
    form.setValues({ kind, ...(typed.current[kind] ?? known ?? newShape(kind, values)) });
    for (const field of ["kind", ...shapeFields]) form.clearFieldError(field);
  };
};

const KindField = ({ record, feature }: Props) => {
  const choose = useKind(record);
  const { kind } = record.form.values;
  if (feature?.frozen)
    return (
      <ReadOnlyField label={formLabels.kind.label} value={kindLabels[kind].label} why={stays} />
    );
  return (
    <Field record={record} words={formLabels} name="kind" along={shapeFields}>
      <RadioCards
        legend={formLabels.kind.label}
        path="kind"
        cards={kindLabels}
        value={kind}
        onChange={choose}
        error={record.form.errors["kind"]}
      />
    </Field>
  );
};

const Conduct = ({ record }: Pick<Props, "record">) => {
  const { form } = record;
  return (
    <FormSection title="In the app" help="What the app's own code should do.">
      <Field record={record} words={formLabels} name="enforcement">
        <RadioCards
          legend="When people go beyond it"
          path="enforcement"
          cards={enforcementLabels}
          value={form.values.enforcement}
          onChange={(enforcement) => form.setFieldValue("enforcement", enforcement)}
        />
      </Field>
      <Field record={record} words={formLabels} name="fallback">
        <RadioCards
          legend="If nobody answers the app"
          path="fallback"
          columns={1}
          cards={fallbackLabels}
          value={form.values.fallback}
          onChange={(fallback) => form.setFieldValue("fallback", fallback)}
        />
      </Field>
    </FormSection>
  );
};

/** The fields of a feature, for creating and editing. */
export const FeatureForm = ({ record, feature }: Props) => {
  const { form } = record;
  return (
    <>
      <FormSection title="Belongs to" help="One app, for good.">
        <AppField record={record} feature={feature} />
      </FormSection>
      <FormSection title="Name" help="How people see the feature, here and in packages.">
        <NameAndCode
          record={record}
          words={formLabels}
          own={feature}
          frozen={feature?.frozen && frozenCode(feature)}
          help="What the app's own code asks for. It stays once a published package uses it."
          scope={codeScope(form.values.appId)}
        />
        <TextField name="description" />
      </FormSection>
      <FormSection title="What it is" help="The kind decides what a package can give of it.">
        <KindField record={record} feature={feature} />
      </FormSection>
      <ValueEditor record={record} feature={feature} />
      <Conduct record={record} />
    </>
  );
};
