import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
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
import { enforcementLabels, fallbackLabels, kindLabels, lockedReason } from "../labels.ts";
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

const frozenCode = (feature: Feature) => (
  <Trans>
    Can't be changed because a published package includes this feature.{" "}
    <Link to="/feature/create" search={{ from: feature.id }} className="sentence-link">
      Duplicate the feature
    </Link>{" "}
    to use another code.
  </Trans>
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
        why={t`A feature can't be moved to another app.`}
      />
    );
  const { error } = record.form.getInputProps("appId");
  return (
    <AppPicker
      path="appId"
      help={t`The app that checks this feature.`}
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
      <ReadOnlyField
        label={formLabels.kind.label}
        value={kindLabels[kind].label}
        why={lockedReason}
      />
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
    <FormSection title={t`App behavior`} help={t`How the app enforces this feature.`}>
      <Field record={record} words={formLabels} name="enforcement">
        <RadioCards
          legend={t`Over the limit`}
          path="enforcement"
          cards={enforcementLabels}
          value={form.values.enforcement}
          onChange={(enforcement) => form.setFieldValue("enforcement", enforcement)}
        />
      </Field>
      <Field record={record} words={formLabels} name="fallback">
        <RadioCards
          legend={t`If Purser is unreachable`}
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
      <FormSection title={t`App`} help={t`Can't be changed later.`}>
        <AppField record={record} feature={feature} />
      </FormSection>
      <FormSection title={t`Name`} help={t`Shown to customers and in packages.`}>
        <NameAndCode
          record={record}
          words={formLabels}
          own={feature}
          frozen={feature?.frozen && frozenCode(feature)}
          help={t`Identifies the feature in the API. Locked once a published package includes it.`}
          scope={codeScope(form.values.appId)}
        />
        <TextField name="description" />
      </FormSection>
      <FormSection title={t`Type`} help={t`Decides which values packages can set.`}>
        <KindField record={record} feature={feature} />
      </FormSection>
      <ValueEditor record={record} feature={feature} />
      <Conduct record={record} />
    </>
  );
};
