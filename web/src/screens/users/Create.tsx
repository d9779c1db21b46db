import "./users.css";
import { createUser } from "@purser/contract/users/endpoints";
import { userFields } from "@purser/contract/users/fields";
import { inviteStaffMember } from "@purser/contract/users/team";
import { useRouter } from "@tanstack/react-router";
import { call } from "#lib/api/call.ts";
import { useMay } from "#lib/session/session.ts";
import { Field, FormSection } from "#ui/form/Field.tsx";
import { RadioCards } from "#ui/form/inputs/RadioCards.tsx";
import { RecordPage } from "#ui/form/RecordPage.tsx";
import { useRecordForm } from "#ui/form/useRecordForm.ts";
import { Forbidden } from "#ui/page/Empty.tsx";
import { Section } from "#ui/page/Page.tsx";
import { toast } from "#ui/popups/toast.ts";
import { RoleCards } from "./form/RoleCards.tsx";
import { CustomerFields, NoteField, WhoFields } from "./form/UserForm.tsx";
import {
  detailsOf,
  emptyUser,
  formLabels,
  type UserRecordForm,
  type UserValues,
  userSchema,
  valuesOf,
} from "./form/values.ts";
import { nameOf, readUser, type User, userSaved } from "./queries.ts";

const kinds = {
  customer: { label: "Customer", help: "Buys and uses your apps. Never signs in here." },
  staff: { label: "Member of staff", help: "Signs in here, with a role. Gets an invitation." },
} as const;

const Kind = ({ record }: { record: UserRecordForm }) => (
  <Field record={record} words={formLabels} name="kind">
    <RadioCards
      legend="Who it is"
      path="kind"
      cards={kinds}
      value={record.form.values.kind}
      onChange={(kind) => record.form.setFieldValue("kind", kind)}
    />
  </Field>
);

const WhatHappens = ({ kind }: Pick<UserValues, "kind">) => (
  <Section title="What happens">
    {kind === "customer" ? (
      <>
        <p className="soft">
          The customer is active at once and holds nothing yet. Nothing is mailed to them.
        </p>
        <p className="soft">Whoever buys something becomes a customer by themselves.</p>
      </>
    ) : (
      <p className="soft">
        A mail with a link goes out at once. It sets a password and works for three days; until then
        the person is invited, and can do nothing.
      </p>
    )}
  </Section>
);

const invitationOf = ({ name, email, role }: UserValues) => ({ name, email, role });

const send = async (values: UserValues, key: string): Promise<User> => {
  const { kind, note } = values;
  if (kind === "customer") return call(createUser, { body: { ...detailsOf(values), note }, key });
  const { id } = await call(inviteStaffMember, { body: invitationOf(values), key });
  return readUser(id);
};

const NewUser = () => {
  const router = useRouter();
  const mayInvite = useMay("staff:write");
  const record = useRecordForm<UserValues, User>({
    draft: "users-create",
    schema: userSchema,
    // Version 0: nothing is stored yet.
    stored: { values: emptyUser, version: 0 },
    valuesOf,
    save: (values, { key }) => send(values, key),
    onSaved: (user) => {
      userSaved(user);
      toast(user.role ? `${nameOf(user)} is invited.` : `${nameOf(user)} is created.`);
      void router.navigate({ to: "/users/view/$id", params: { id: user.id }, replace: true });
    },
  });
  // A restored draft may be an invitation that the user is no longer allowed to send.
  const kind = mayInvite ? record.form.values.kind : "customer";
  return (
    <RecordPage
      record={record}
      words={formLabels}
      fields={userFields}
      one="user"
      title="New user"
      parent={{ label: "Users", to: "/users" }}
      saveLabel={kind === "staff" ? "Send invitation" : "Create customer"}
      wanted={(values) => ({
        operation: "POST /staff",
        params: {},
        body: invitationOf(values),
        version: null,
      })}
      rail={<WhatHappens kind={kind} />}
    >
      <FormSection title="Person" help="Whom you will look for later.">
        {mayInvite && <Kind record={record} />}
        <WhoFields />
      </FormSection>
      {kind === "staff" ? (
        <RoleCards record={record} />
      ) : (
        <>
          <CustomerFields record={record} />
          <NoteField record={record} />
        </>
      )}
    </RecordPage>
  );
};

export const CreateUser = () =>
  useMay("users:write") ? <NewUser /> : <Forbidden what="this form" permission="Users: edit" />;
