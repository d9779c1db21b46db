import { t } from "@lingui/core/macro";
import { FormSection } from "#ui/form/Field.tsx";
import { RoleCards } from "./RoleCards.tsx";
import { WhoFields } from "./UserForm.tsx";
import type { UserRecordForm } from "./values.ts";

/** The editable fields of a team member. */
export const TeamMemberForm = ({ record }: { record: UserRecordForm }) => (
  <>
    <FormSection title={t`Contact details`}>
      <WhoFields />
    </FormSection>
    <RoleCards record={record} />
  </>
);
