import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { Suspense, useState } from "react";
import { Icon } from "#ui/Icon.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import type { Approval } from "./queries.ts";

const dialogs = () => import("./dialogs.tsx");
const asking = {
  approve: part(async () => (await dialogs()).ApproveDialog),
  reject: part(async () => (await dialogs()).RejectDialog),
  withdraw: part(async () => (await dialogs()).WithdrawDialog),
};

const Stop = ({ summary, onClick }: { summary: string; onClick: () => void }) => (
  <Button
    size="xs"
    color="red"
    data-tone="bad"
    leftSection={<Icon name="ban" />}
    aria-label={t`Stop change “${summary}”`}
    onClick={onClick}
  >
    {t`Stop change`}
  </Button>
);

const Plain = (props: { label: string; text: string; onClick: () => void }) => (
  <Button size="xs" variant="default" aria-label={props.label} onClick={props.onClick}>
    {props.text}
  </Button>
);

/** What the user can do with the request. Each opens a dialog. */
export const Actions = ({ approval }: { approval: Approval }) => {
  const [about, setAbout] = useState<keyof typeof asking | null>(null);
  const { mayDecide, mayReject, isOwn, status, summary, takesEffectAt } = approval;
  const Asking = about && asking[about];
  const waits = takesEffectAt !== null;
  const isOpen = isOwn && status === "waiting";
  const reject = () => setAbout("reject");
  const withdraw = () => setAbout("withdraw");
  const approve = () => setAbout("approve");
  return (
    <div className="request-actions">
      {mayReject && !waits && (
        <Plain label={t`Reject “${summary}”`} text={t`Reject`} onClick={reject} />
      )}
      {mayDecide && waits && (
        <Plain label={t`Approve now: “${summary}”`} text={t`Approve now`} onClick={approve} />
      )}
      {mayDecide && !waits && (
        <Button size="xs" aria-label={t`Approve “${summary}”`} onClick={approve}>
          {t`Approve`}
        </Button>
      )}
      {mayReject && waits && <Stop summary={summary} onClick={reject} />}
      {isOpen && waits && <Stop summary={summary} onClick={withdraw} />}
      {isOpen && !waits && (
        <Plain label={t`Withdraw “${summary}”`} text={t`Withdraw`} onClick={withdraw} />
      )}
      <Suspense>{Asking && <Asking approval={approval} onClose={() => setAbout(null)} />}</Suspense>
    </div>
  );
};
