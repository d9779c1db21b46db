import "./users.css";
import { t } from "@lingui/core/macro";
import { changeUser } from "@purser/contract/users/endpoints";
import { userFields } from "@purser/contract/users/fields";
import { changeTeamMember } from "@purser/contract/users/team";
import { useQuery } from "@tanstack/react-query";
import { useParams, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { call } from "#lib/api/call.ts";
import { useMay } from "#lib/session/session.ts";
import { Missing } from "#shell/errors/Missing.tsx";
import type { Wanted } from "#ui/dialogs/approval.ts";
import { FormSection } from "#ui/form/Field.tsx";
import { RecordPage } from "#ui/form/RecordPage.tsx";
import { useRecordForm } from "#ui/form/useRecordForm.ts";
import { Empty } from "#ui/page/Empty.tsx";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { RecordSkeleton, Section } from "#ui/page/Page.tsx";
import { toast } from "#ui/popups/toast.ts";
import { Status } from "#ui/Status.tsx";
import { TeamMemberForm } from "./form/TeamMemberForm.tsx";
import { CustomerFields, WhoFields } from "./form/UserForm.tsx";
import {
  detailsOf,
  formLabels,
  partedFields,
  type UserRecordForm,
  type UserValues,
  userSchema,
  valuesOf,
} from "./form/values.ts";
import { statusLabels } from "./labels.ts";
import { nameOf, readUser, type User, userQuery, userSaved } from "./queries.ts";

const parentOf = (user: User) =>
  ({ label: nameOf(user), to: "/users/view/$id", params: { id: user.id } }) as const;

const useSaved = () => {
  const router = useRouter();
  return (saved: User) => {
    userSaved(saved);
    const name = nameOf(saved);
    toast(t`${name} saved`, {
      label: t`View`,
      run: () => router.navigate({ to: "/users/view/$id", params: { id: saved.id } }),
    });
  };
};

type Props = {
  user: User;
  save: (values: UserValues, version: { version: number }) => Promise<User>;
  wanted?: (values: UserValues, version: number) => Wanted;
  locked: { [Name in keyof UserValues]?: string };
  /** The effect of saving, shown next to the form. */
  effect: ReactNode;
  children: (record: UserRecordForm) => ReactNode;
};

const Change = ({ user, save, wanted, locked, effect, children }: Props) => {
  const name = nameOf(user);
  const record = useRecordForm<UserValues, User>({
    draft: `users-edit-${user.id}`,
    schema: userSchema,
    parted: partedFields,
    stored: valuesOf(user),
    valuesOf,
    save,
    onSaved: useSaved(),
  });
  return (
    <RecordPage
      record={record}
      words={formLabels}
      fields={userFields}
      locked={locked}
      title={t`Edit ${name}`}
      parent={parentOf(user)}
      meta={<Status status={statusLabels[user.status]} loud />}
      saveLabel={t`Save user`}
      {...(wanted && { wanted })}
      rail={
        <Section title={t`When you save`}>
          <p className="soft">{effect}</p>
        </Section>
      }
    >
      {children(record)}
    </RecordPage>
  );
};

const ChangeCustomer = ({ user }: { user: User }) => (
  <Change
    user={user}
    save={(values, { version }) =>
      call(changeUser, { params: { id: user.id }, body: detailsOf(values), version })
    }
    locked={
      user.externalId ? { externalId: t`Your apps use this ID, so it can't be changed.` } : {}
    }
    effect={t`Name and email change everywhere immediately. Access doesn't change.`}
  >
    {(record) => (
      <>
        <FormSection title={t`Contact details`}>
          <WhoFields />
        </FormSection>
        <CustomerFields record={record} />
      </>
    )}
  </Change>
);

const ChangeTeamMember = ({ user }: { user: User }) => (
  <Change
    user={user}
    save={async ({ name, role }, { version }) => {
      await call(changeTeamMember, { params: { id: user.id }, body: { name, role }, version });
      return readUser(user.id);
    }}
    wanted={({ name, role }, version) => ({
      operation: "PUT /team/:id",
      params: { id: user.id },
      body: { name, role },
      version,
    })}
    locked={{ email: t`Team members sign in with this email, so it can't be changed.` }}
    effect={t`A new role applies immediately and signs the team member out.`}
  >
    {(record) => <TeamMemberForm record={record} />}
  </Change>
);

export const EditUser = () => {
  const { id } = useParams({ from: "/users/edit/$id" });
  const [mayWrite, mayChangeTeam] = [useMay("users:write"), useMay("team:write")];
  const { data: user, error, refetch } = useQuery({ ...userQuery(id), enabled: mayWrite });
  if (!mayWrite) return <Forbidden permission="users:write" />;
  if (error && !user) return <Missing id={id} error={error} onRetry={() => refetch()} />;
  if (!user) return <RecordSkeleton />;
  if (user.role !== null && !mayChangeTeam) return <Forbidden permission="team:write" />;
  if (user.status === "erased")
    return (
      <Empty icon="eraser" title={t`This customer was erased`}>
        <p>{t`Their personal data was deleted, so the record can't be edited.`}</p>
      </Empty>
    );
  return user.role === null ? <ChangeCustomer user={user} /> : <ChangeTeamMember user={user} />;
};
