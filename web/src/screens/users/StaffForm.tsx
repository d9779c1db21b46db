import { TextInput } from "@mantine/core";
import { Field, FormSection } from "#ui/form/Field.tsx";
import { Locked } from "#ui/form/Locked.tsx";
import type { User } from "./queries.ts";
import { RoleCards } from "./RoleCards.tsx";
import { formWords, type PersonForm } from "./values.ts";

type Props = { record: PersonForm; user: User };

/** What may be changed of somebody who works here. */
export const StaffForm = ({ record, user }: Props) => (
  <>
    <FormSection title="Person" help="How colleagues see this person.">
      <div className="form-pair">
        <Field record={record} words={formWords} name="name">
          <TextInput label="Name" autoComplete="off" {...record.form.getInputProps("name")} />
        </Field>
        <Locked label="E-mail" value={user.email} why="What this person signs in with stays." />
      </div>
    </FormSection>
    <RoleCards record={record} />
  </>
);
