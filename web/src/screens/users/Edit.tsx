import "./users.css";
import { changeUser } from "@purser/contract/users/endpoints";
import { userFields } from "@purser/contract/users/fields";
import { changeStaffMember } from "@purser/contract/users/team";
import { useQuery } from "@tanstack/react-query";
import { useParams, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { call } from "#lib/api/call.ts";
import { count } from "#lib/labels.ts";
import { useMay } from "#lib/session/session.ts";
import { Missing } from "#shell/errors/Missing.tsx";
import type { Wanted } from "#ui/dialogs/approval.ts";
import { FormSection } from "#ui/form/Field.tsx";
import { RecordPage } from "#ui/form/RecordPage.tsx";
import { useRecordForm } from "#ui/form/useRecordForm.ts";
import { Empty, Forbidden } from "#ui/page/Empty.tsx";
import { RecordSkeleton, Section } from "#ui/page/Page.tsx";
import { toast } from "#ui/popups/toast.ts";
import { Status } from "#ui/Status.tsx";
import { StaffForm } from "./form/StaffForm.tsx";
import { CustomerFields, WhoFields } from "./form/UserForm.tsx";
import {
  detailsOf,
  formLabels,
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
    toast(`${nameOf(saved)} is saved.`, {
      label: "View",
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
  const record = useRecordForm<UserValues, User>({
    draft: `users-edit-${user.id}`,
    schema: userSchema,
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
      one="user"
      title={`Edit ${nameOf(user)}`}
      parent={parentOf(user)}
      meta={<Status status={statusLabels[user.status]} loud />}
      saveLabel="Save user"
      {...(wanted && { wanted })}
      rail={
        <Section title="If you save this">
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
      user.externalId ? { externalId: "The sold apps know this person by it, so it stays." } : {}
    }
    effect={
      <>
        The new name and address are shown everywhere at once. What this person may use does not
        change
        {user.packages.length > 0 && `: ${count(user.packages.length, "package")} stay theirs`}.
      </>
    }
  >
    {(record) => (
      <>
        <FormSection title="Person" help="Whom you will look for later.">
          <WhoFields />
        </FormSection>
        <CustomerFields record={record} />
      </>
    )}
  </Change>
);

const ChangeStaff = ({ user }: { user: User }) => (
  <Change
    user={user}
    save={async ({ name, role }, { version }) => {
      await call(changeStaffMember, { params: { id: user.id }, body: { name, role }, version });
      return readUser(user.id);
    }}
    wanted={({ name, role }, version) => ({
      operation: "PUT /staff/:id",
      params: { id: user.id },
      body: { name, role },
      version,
    })}
    locked={{ email: "What this person signs in with stays." }}
    effect="A new role counts at once and ends the sessions of this person, who signs in again. A new name ends nothing."
  >
    {(record) => <StaffForm record={record} />}
  </Change>
);

export const EditUser = () => {
  const { id } = useParams({ from: "/users/edit/$id" });
  const [mayWrite, mayChangeStaff] = [useMay("users:write"), useMay("staff:write")];
  const { data: user, error, refetch } = useQuery(userQuery(id));
  if (!mayWrite) return <Forbidden what="this form" permission="Users: edit" />;
  if (error && !user) return <Missing one="user" id={id} error={error} onRetry={() => refetch()} />;
  if (!user) return <RecordSkeleton />;
  if (user.role !== null && !mayChangeStaff)
    return <Forbidden what="this form" permission="Staff: edit" />;
  if (user.status === "erased")
    return (
      <Empty icon="eraser" title="This person was erased">
        <p>Nothing that told who it was is left, and nothing of it can change.</p>
      </Empty>
    );
  return user.role === null ? <ChangeCustomer user={user} /> : <ChangeStaff user={user} />;
};
