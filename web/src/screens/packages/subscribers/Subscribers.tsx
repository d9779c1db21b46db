import { t } from "@lingui/core/macro";
import { ActionIcon, Button, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { grantSourceNames } from "#lib/labels/subscriptions.ts";
import { useMay } from "#lib/session/session.ts";
import { linkOf as userLink } from "#screens/users/queries.ts";
import { Icon } from "#ui/Icon.tsx";
import { Day } from "#ui/Moment.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { More } from "#ui/page/More.tsx";
import { Section } from "#ui/page/Page.tsx";
import { type Grant, type Package, subscribersQuery } from "../queries.ts";

const RevokeDialog = part(async () => (await import("./accessDialogs.tsx")).RevokeDialog);

const searchMs = 250;

/** The last day of access: grants end at the start of the following day. */
const lastDayOf = (endsAt: string) => new Date(Date.parse(endsAt) - 1).toISOString();

const SubscriberRow = ({ grant, onRevoke }: { grant: Grant; onRevoke: (() => void) | null }) => {
  const { user, endsAt, source, reason } = grant;
  const { name } = user;
  return (
    <tr>
      <th scope="row" className="person">
        <Link to={userLink(user)}>{user.name}</Link>
        <small>{user.email}</small>
      </th>
      <td className="soft">{grant.package?.number ?? "–"}</td>
      <td className="soft">{grantSourceNames[source]}</td>
      <td className="soft">{endsAt ? <Day at={lastDayOf(endsAt)} /> : t`No end date`}</td>
      <td className="soft note">{reason ?? "–"}</td>
      <td className="actions">
        {onRevoke && (
          <ActionIcon
            aria-label={t`Revoke access of ${name}`}
            data-tip={t`Revoke access`}
            onClick={onRevoke}
          >
            <Icon name="ban" />
          </ActionIcon>
        )}
      </td>
    </tr>
  );
};

const SubscriberTable = ({
  grants,
  onRevoke,
}: {
  grants: Grant[];
  onRevoke: ((grant: Grant) => void) | null;
}) => (
  <div className="scroll-x">
    <table className="plain-table">
      <thead>
        <tr>
          <th scope="col">{t`Customer`}</th>
          <th scope="col">{t`Version`}</th>
          <th scope="col">{t`Source`}</th>
          <th scope="col">{t`Until`}</th>
          <th scope="col">{t`Reason`}</th>
          <th scope="col">
            <span className="unseen">{t`Actions`}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {grants.map((grant) => (
          <SubscriberRow
            key={grant.id}
            grant={grant}
            onRevoke={onRevoke ? () => onRevoke(grant) : null}
          />
        ))}
      </tbody>
    </table>
  </div>
);

type Props = { stored: Package; onGrant: (() => void) | null };

/** The package's current subscribers, newest first. */
export const Subscribers = ({ stored, onGrant }: Props) => {
  const mayGrant = useMay("users:write");
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed.trim(), searchMs);
  const pages = useInfiniteQuery(subscribersQuery(stored.id, q));
  const { data, error, refetch } = pages;
  const [revoked, setRevoked] = useState<Grant | null>(null);
  if (error && !data)
    return <Failed title={t`Couldn't load subscribers`} error={error} onRetry={() => refetch()} />;
  const grants = data?.pages.flatMap(({ items }) => items) ?? [];
  const isEmpty = data !== undefined && grants.length === 0;
  return (
    <Section
      title={t`Subscribers`}
      note={t`newest first`}
      actions={
        onGrant && (
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="gift" size={14} />}
            onClick={onGrant}
          >
            {t`Grant access`}
          </Button>
        )
      }
    >
      {(!isEmpty || q !== "") && (
        <TextInput
          className="subscribers-search"
          type="search"
          aria-label={t`Search subscribers`}
          placeholder={t`Name or email`}
          leftSection={<Icon name="search" />}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      )}
      {isEmpty && (
        <p className="soft" role="status">
          {q === "" ? t`No subscribers yet.` : t`No subscribers match “${q}”.`}
        </p>
      )}
      {grants.length > 0 && (
        <SubscriberTable grants={grants} onRevoke={mayGrant ? setRevoked : null} />
      )}
      <More of={pages}>{t`Load more`}</More>
      <Suspense>
        {revoked && (
          <RevokeDialog stored={stored} grant={revoked} onClose={() => setRevoked(null)} />
        )}
      </Suspense>
    </Section>
  );
};
