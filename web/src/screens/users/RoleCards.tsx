import "#ui/radioSheets.ts";
import { Cards } from "#ui/form/Cards.tsx";
import { Field, FormSection } from "#ui/form/Field.tsx";
import { formWords, type PersonForm } from "./values.ts";
import { roleWords } from "./labels.ts";

/** What somebody who works here may do. */
export const RoleCards = ({ record }: { record: PersonForm }) => {
  const { form } = record;
  return (
    <FormSection title="Role" help="What this person may see and do here.">
      <Field record={record} words={formWords} name="role">
        <Cards
          legend="Role"
          path="role"
          cards={roleWords}
          value={form.values.role}
          onChange={(role) => form.setFieldValue("role", role)}
          error={form.errors["role"]}
        />
      </Field>
    </FormSection>
  );
};
