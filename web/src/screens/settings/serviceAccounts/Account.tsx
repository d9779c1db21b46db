import { plural, t } from "@lingui/core/macro";
import { ActionIcon, Button } from "@mantine/core";
import { series } from "#lib/intl.ts";
import { permissionNames } from "#lib/labels/permissions.ts";
import { roleNames } from "#lib/labels/roles.ts";
import { dayMs } from "#lib/time/dates.ts";
import { Icon } from "#ui/Icon.tsx";
import { Day, Moment } from "#ui/Moment.tsx";
import { Status, type StatusWord } from "#ui/Status.tsx";
import type { ServiceAccount, ServiceKey } from "../queries.ts";
import "./serviceAccounts.css";
import type { Opened } from "./opened.ts";

const soonDays = 14;

const daysLeft = ({ expiresAt }: ServiceKey, now: number) =>
  (new Date(expiresAt).getTime() - now) / dayMs;

const isOver = (key: ServiceKey, now: number) => key.revokedAt !== null || daysLeft(key, now) <= 0;

const statusOf = (key: ServiceKey, now: number): StatusWord => {
  if (key.revokedAt) return { word: t`Revoked`, icon: "ban", tone: "mute", quiet: true };
  const days = daysLeft(key, now);
  if (days <= 0) return { word: t`Expired`, icon: "clock", tone: "mute", quiet: true };
  if (days <= soonDays)
    return {
      word: plural(Math.ceil(days), { one: "Expires in # day", other: "Expires in # days" }),
      icon: "clock-exclamation",
      tone: "warn",
    };
  return { word: t`Active`, icon: "circle-check", tone: "ok", quiet: true };
};

type KeyProps = { serviceKey: ServiceKey; now: number; onRotate: () => void; onRevoke: () => void };

const KeyRow = ({ serviceKey, now, onRotate, onRevoke }: KeyProps) => {
  const over = isOver(serviceKey, now);
  const { name, prefix, lastUsedAt, expiresAt } = serviceKey;
  return (
    <tr {...(over && { "data-over": true })}>
      <th scope="row" className="mono">
        {name}
      </th>
      <td className="mono soft">{prefix}…</td>
      <td className="soft">{lastUsedAt ? <Moment at={lastUsedAt} /> : t`Never`}</td>
      <td className="soft">
        <Day at={expiresAt} />
      </td>
      <td>
        <Status status={statusOf(serviceKey, now)} />
      </td>
      <td className="actions">
        {!over && (
          <>
            <ActionIcon aria-label={t`Rotate ${name}`} data-tip={t`Rotate`} onClick={onRotate}>
              <Icon name="refresh" />
            </ActionIcon>
            <ActionIcon aria-label={t`Revoke ${name}`} data-tip={t`Revoke`} onClick={onRevoke}>
              <Icon name="ban" />
            </ActionIcon>
          </>
        )}
      </td>
    </tr>
  );
};

type Props = { account: ServiceAccount; now: number; onOpen: (opened: Opened) => void };

const Keys = ({ account, now, onOpen }: Props) => (
  <div className="scroll-x">
    <table className="plain-table">
      <thead>
        <tr>
          <th scope="col">{t`Key`}</th>
          <th scope="col">{t`Prefix`}</th>
          <th scope="col">{t`Last used`}</th>
          <th scope="col">{t`Expires`}</th>
          <th scope="col">{t`Status`}</th>
          <th scope="col">
            <span className="unseen">{t`Actions`}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {account.keys.map((serviceKey) => (
          <KeyRow
            key={serviceKey.id}
            serviceKey={serviceKey}
            now={now}
            onRotate={() => onOpen({ dialog: "rotate", account, serviceKey })}
            onRevoke={() => onOpen({ dialog: "revoke", account, serviceKey })}
          />
        ))}
      </tbody>
    </table>
  </div>
);

/** One account with its keys. */
export const Account = ({ account, now, onOpen }: Props) => {
  const { id, name, role, permissions, status, keys } = account;
  const isActive = status === "active";
  return (
    <section className="service-account" aria-labelledby={`account-${id}`}>
      <header>
        <h3 id={`account-${id}`}>{name}</h3>
        {!isActive && (
          <Status status={{ word: t`Suspended`, icon: "ban", tone: "warn", quiet: true }} />
        )}
        <span className="spacer" />
        <Button
          variant="default"
          size="xs"
          aria-label={t`Edit ${name}`}
          onClick={() => onOpen({ dialog: "edit", account })}
        >
          {t`Edit`}
        </Button>
        <Button
          variant="default"
          size="xs"
          aria-label={isActive ? t`Suspend ${name}` : t`Reactivate ${name}`}
          onClick={() => onOpen({ dialog: "status", account })}
        >
          {isActive ? t`Suspend` : t`Reactivate`}
        </Button>
        {isActive && (
          <Button
            variant="default"
            size="xs"
            aria-label={t`New key for ${name}`}
            onClick={() => onOpen({ dialog: "new key", account })}
          >
            {t`New key`}
          </Button>
        )}
      </header>
      <p className="soft">
        {roleNames[role]}
        {" · "}
        {permissions
          ? series(permissions.map((permission) => permissionNames[permission]))
          : t`All permissions of the role`}
      </p>
      {keys.length === 0 ? (
        <p className="soft">{t`No keys yet.`}</p>
      ) : (
        <Keys account={account} now={now} onOpen={onOpen} />
      )}
    </section>
  );
};
