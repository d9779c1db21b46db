import "../apps.css";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { platformNames } from "#lib/labels/apps.ts";
import { Field, FormSection, Optional } from "#ui/form/Field.tsx";
import { CheckboxGroup } from "#ui/form/inputs/CheckboxGroup.tsx";
import { inputsOf } from "#ui/form/inputs/inputs.tsx";
import { type CodeScope, NameAndCode } from "#ui/form/inputs/NameAndCode.tsx";
import type { RecordForm } from "#ui/form/useRecordForm.ts";
import { type App, readApps } from "../queries.ts";
import { IconPicker } from "./IconPicker.tsx";
import { type AppValues, formLabels } from "./values.ts";

type Props = {
  record: RecordForm<AppValues>;
  /** The stored app; absent while creating one. */
  app: App | null;
};

const { TextField } = inputsOf<AppValues>();

const frozenCode = (app: App) => (
  <Trans>
    This code is in use and can't be changed.{" "}
    <Link to="/apps/create" search={{ from: app.id }} className="sentence-link">
      Duplicate the app
    </Link>{" "}
    to use another code.
  </Trans>
);

const codeScope: CodeScope = {
  queryKey: ["apps"],
  find: (code, signal) => readApps({ f: [`code:is:${code}`], size: "1", count: "none" }, signal),
};

const Platforms = ({ record }: Pick<Props, "record">) => (
  <Field record={record} words={formLabels} name="platforms">
    <CheckboxGroup
      legend={<Optional>{formLabels.platforms.label}</Optional>}
      path="platforms"
      options={platformNames}
      value={record.form.values.platforms}
      onChange={(chosen) => record.form.setFieldValue("platforms", chosen)}
    />
  </Field>
);

/** The fields of an app, for creating and editing. */
export const AppForm = ({ record, app }: Props) => {
  const { form } = record;
  return (
    <>
      <FormSection title={t`Name`} help={t`Shown to customers and on receipts.`}>
        <NameAndCode
          record={record}
          words={formLabels}
          own={app}
          frozen={app?.codeFrozen && frozenCode(app)}
          help={t`Identifies the app in the API. Locked once the app is active or has a key.`}
          scope={codeScope}
        />
        <TextField name="description" />
      </FormSection>
      <FormSection
        title={t`Appearance and platforms`}
        help={t`The icon is shown next to the name.`}
      >
        <div className="form-pair">
          <Field record={record} words={formLabels} name="icon">
            <IconPicker
              value={form.values.icon}
              onChange={(icon) => form.setFieldValue("icon", icon)}
              error={(form.errors["icon"] as string | undefined) ?? null}
            />
          </Field>
        </div>
        <Platforms record={record} />
      </FormSection>
      <FormSection title={t`Support`} help={t`Shown to customers who need help.`}>
        <div className="form-pair">
          <TextField name="supportEmail" />
          <TextField name="website" />
        </div>
      </FormSection>
    </>
  );
};
