import "#ui/styles/radioSheets.ts";
import { t } from "@lingui/core/macro";
import { Field, FormSection } from "#ui/form/Field.tsx";
import { RadioCards } from "#ui/form/inputs/RadioCards.tsx";
import { roleLabels } from "../labels.ts";
import { formLabels, type UserRecordForm } from "./values.ts";

/** The roles of a team member, as cards. */
export const RoleCards = ({ record }: { record: UserRecordForm }) => {
  const { form } = record;
  return (
    <FormSection title={t`Role`} help={t`Decides what they can see and do.`}>
      <Field record={record} words={formLabels} name="role">
        <RadioCards
          legend={t`Role`}
          path="role"
          cards={roleLabels}
          value={form.values.role}
          onChange={(role) => form.setFieldValue("role", role)}
          error={form.errors["role"]}
        />
      </Field>
    </FormSection>
  );
};
