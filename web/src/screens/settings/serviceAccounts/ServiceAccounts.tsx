import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { useMay } from "#lib/session/session.ts";
import { currentTime } from "#lib/time/currentTime.ts";
import { Icon } from "#ui/Icon.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Section } from "#ui/page/Page.tsx";
import { serviceAccountsQuery } from "../queries.ts";
import { Account } from "./Account.tsx";
import type { Opened } from "./opened.ts";

const AccountDialog = part(async () => (await import("./AccountDialog.tsx")).AccountDialog);
const keyDialogs = () => import("./keyDialogs.tsx");
const CreateKeyDialog = part(async () => (await keyDialogs()).CreateKeyDialog);
const RotateKeyDialog = part(async () => (await keyDialogs()).RotateKeyDialog);
const RevokeKeyDialog = part(async () => (await keyDialogs()).RevokeKeyDialog);
const StatusDialog = part(async () => (await import("./StatusDialog.tsx")).StatusDialog);

const OpenedDialog = ({ opened, onClose }: { opened: Opened; onClose: () => void }) => {
  switch (opened.dialog) {
    case "create":
      return <AccountDialog account={null} onClose={onClose} />;
    case "edit":
      return <AccountDialog account={opened.account} onClose={onClose} />;
    case "status":
      return <StatusDialog account={opened.account} onClose={onClose} />;
    case "new key":
      return <CreateKeyDialog account={opened.account} onClose={onClose} />;
    case "rotate":
      return <RotateKeyDialog {...opened} onClose={onClose} />;
    default:
      return <RevokeKeyDialog {...opened} onClose={onClose} />;
  }
};

/** The accounts of the company's own backends with their keys. */
export const ServiceAccounts = () => {
  const mayManage = useMay("service-accounts:write");
  const query = useQuery({ ...serviceAccountsQuery, enabled: mayManage });
  const { data: accounts, error, refetch } = query;
  const [opened, setOpened] = useState<Opened | null>(null);
  const now = +currentTime();
  if (!mayManage) return null;
  if (error && !accounts)
    return (
      <Failed title={t`Couldn't load service accounts`} error={error} onRetry={() => refetch()} />
    );
  return (
    <Section
      id="service-accounts"
      title={t`Service accounts`}
      note={t`For your own backends that call the API`}
      actions={
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => setOpened({ dialog: "create" })}
        >
          {t`New service account`}
        </Button>
      }
    >
      {accounts?.length === 0 && (
        <p className="soft">
          {t`No service accounts yet. Create one so your backend can record sales.`}
        </p>
      )}
      {accounts?.map((account) => (
        <Account key={account.id} account={account} now={now} onOpen={setOpened} />
      ))}
      <Suspense>
        {opened && <OpenedDialog opened={opened} onClose={() => setOpened(null)} />}
      </Suspense>
    </Section>
  );
};
