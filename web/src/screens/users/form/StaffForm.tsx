import { FormSection } from "#ui/form/Field.tsx";
import { RoleCards } from "./RoleCards.tsx";
import { WhoFields } from "./UserForm.tsx";
import type { UserRecordForm } from "./values.ts";

/** The editable fields of a team member. */
export const StaffForm = ({ record }: { record: UserRecordForm }) => (
  <>
    <FormSection title="Person" help="How colleagues see this person.">
      <WhoFields />
    </FormSection>
    <RoleCards record={record} />
  </>
);
