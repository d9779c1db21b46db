import "./users.css";
import { t } from "@lingui/core/macro";
import { createUser } from "@purser/contract/users/endpoints";
import { userFields } from "@purser/contract/users/fields";
import { inviteTeamMember } from "@purser/contract/users/team";
import { useRouter } from "@tanstack/react-router";
import { call } from "#lib/api/call.ts";
import { useMay } from "#lib/session/session.ts";
import { Field, FormSection } from "#ui/form/Field.tsx";
import { RadioCards } from "#ui/form/inputs/RadioCards.tsx";
import { RecordPage } from "#ui/form/RecordPage.tsx";
import { useRecordForm } from "#ui/form/useRecordForm.ts";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { Section } from "#ui/page/Page.tsx";
import { toast } from "#ui/popups/toast.ts";
import { RoleCards } from "./form/RoleCards.tsx";
import { CustomerFields, NoteField, WhoFields } from "./form/UserForm.tsx";
import {
  detailsOf,
  emptyUser,
  formLabels,
  partedFields,
  type UserRecordForm,
  type UserValues,
  userSchema,
  valuesOf,
} from "./form/values.ts";
import { nameOf, readUser, type User, userSaved } from "./queries.ts";

const kinds = {
  customer: { label: t`Customer`, help: t`Buys and uses your apps. Doesn't sign in here.` },
  team: { label: t`Team member`, help: t`Signs in here with a role. Gets an invitation.` },
} as const;

const Kind = ({ record }: { record: UserRecordForm }) => (
  <Field record={record} words={formLabels} name="kind">
    <RadioCards
      legend={t`Type`}
      path="kind"
      cards={kinds}
      value={record.form.values.kind}
      onChange={(kind) => record.form.setFieldValue("kind", kind)}
    />
  </Field>
);

const WhatHappens = ({ kind }: Pick<UserValues, "kind">) => (
  <Section title={t`What happens next`}>
    {kind === "customer" ? (
      <>
        <p className="soft">
          {t`The customer is active immediately, without any access. No email is sent.`}
        </p>
        <p className="soft">{t`Anyone who buys something becomes a customer automatically.`}</p>
      </>
    ) : (
      <p className="soft">
        {t`We'll email an invitation link that works for 3 days. They can sign in once they accept.`}
      </p>
    )}
  </Section>
);

const invitationOf = ({ name, email, role }: UserValues) => ({ name, email, role });

const send = async (values: UserValues, key: string): Promise<User> => {
  const { kind, note } = values;
  if (kind === "customer") return call(createUser, { body: { ...detailsOf(values), note }, key });
  const { id } = await call(inviteTeamMember, { body: invitationOf(values), key });
  return readUser(id);
};

const NewUser = () => {
  const router = useRouter();
  const mayInvite = useMay("team:write");
  const record = useRecordForm<UserValues, User>({
    draft: "users-create",
    schema: userSchema,
    parted: partedFields,
    // Version 0: nothing is stored yet.
    stored: { values: emptyUser, version: 0 },
    valuesOf,
    save: (values, { key }) => send(values, key),
    onSaved: (user) => {
      userSaved(user);
      const name = nameOf(user);
      toast(user.role ? t`${name} invited` : t`${name} created`);
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
      title={t`New user`}
      parent={{ label: t`Users`, to: "/users" }}
      saveLabel={kind === "team" ? t`Send invitation` : t`Create customer`}
      wanted={(values) => ({
        operation: "POST /team",
        params: {},
        body: invitationOf(values),
        version: null,
      })}
      rail={<WhatHappens kind={kind} />}
    >
      <FormSection title={t`Contact details`}>
        {mayInvite && <Kind record={record} />}
        <WhoFields />
      </FormSection>
      {kind === "team" ? (
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
  useMay("users:write") ? <NewUser /> : <Forbidden permission="users:write" />;
