import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { deleteApp } from "@purser/contract/apps/endpoints";
import { useQuery } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { number } from "#lib/intl.ts";
import { dayMs } from "#lib/time/dates.ts";
import { Consequences } from "#ui/dialogs/Dialog.tsx";
import { type Asking, onlyOf } from "#ui/record/lifecycle.tsx";
import { ConfirmDelete, ConfirmStep } from "#ui/record/lifecycleDialogs.tsx";
import { activate, applyToMany, archive } from "./actions.ts";
import { type App, appsChanged, keysQuery } from "./queries.ts";

type Props = { apps: App[]; onClose: () => void; onDone?: () => void };

/** Valid API keys, and how many of them were used in the last 7 days. */
const useKeysInUse = (apps: App[]) => {
  const [only] = apps;
  const { data } = useQuery({ ...keysQuery(only?.id ?? ""), enabled: apps.length === 1 });
  const valid = apps.reduce((sum, { keys }) => sum + keys, 0);
  const since = Date.now() - 7 * dayMs;
  const used = data?.filter(
    ({ lastUsedAt, revokedAt }) =>
      !revokedAt && lastUsedAt && new Date(lastUsedAt).getTime() > since,
  ).length;
  return { valid, used };
};

const ArchiveDialog = ({ apps, ...handlers }: Props) => {
  const { valid, used } = useKeysInUse(apps);
  return (
    <ConfirmStep
      {...handlers}
      action="archive"
      records={apps}
      many={{
        title: plural(apps.length, { one: "Archive # app?", other: "Archive # apps?" }),
        button: plural(apps.length, { one: "Archive # app", other: "Archive # apps" }),
      }}
      actions={{ archive, applyToMany }}
    >
      <Consequences
        of={[
          {
            icon: "apps",
            what: t`Apps that can no longer be added to packages`,
            amount: number(apps.length),
          },
          { icon: "key", what: t`API keys that keep working`, amount: number(valid) },
          ...(used === undefined
            ? []
            : [
                {
                  icon: "clock" as const,
                  what: t`API keys used in the last 7 days`,
                  amount: number(used),
                },
              ]),
          { icon: "ban", what: t`Customers who lose access`, amount: number(0) },
        ]}
      />
      <p className="soft">
        {t`Customers keep their access until it expires. To cut off the app immediately, revoke its API keys.`}
      </p>
    </ConfirmStep>
  );
};

const ActivateDialog = ({ apps, ...handlers }: Props) => {
  const code = onlyOf(apps)?.code;
  return (
    <ConfirmStep
      {...handlers}
      action="activate"
      records={apps}
      many={{
        title: plural(apps.length, { one: "Activate # app?", other: "Activate # apps?" }),
        button: plural(apps.length, { one: "Activate # app", other: "Activate # apps" }),
      }}
      fact={t`Active apps can be added to packages and sold.`}
      actions={{ activate, applyToMany }}
    >
      <p>
        {code ? (
          <Trans>
            The code <span className="typed mono">{code}</span> can't be changed after activation.
            The app can't become a draft again, but it can be archived.
          </Trans>
        ) : (
          t`The codes can't be changed after activation. The apps can't become drafts again, but they can be archived.`
        )}
      </p>
    </ConfirmStep>
  );
};

type DialogProps = { asking: Asking<App>; onClose: () => void; onDeleted?: () => void };

/** The dialog for the action that was chosen, for one app or many. */
export const AppDialog = ({ asking, onClose, onDeleted }: DialogProps) => {
  const { about, records, clear } = asking;
  const [app] = records;
  if (about === "delete")
    return (
      app && (
        <ConfirmDelete
          record={app}
          typed={app.code}
          remove={(sent) => call(deleteApp, sent)}
          onDeleted={() => {
            onDeleted?.();
            void appsChanged();
          }}
          onClose={onClose}
          consequences={[
            { icon: "apps", what: t`Drafts deleted`, amount: number(1) },
            { icon: "key", what: t`API keys that stop working`, amount: number(app.keys) },
          ]}
        />
      )
    );
  const Step = about === "archive" ? ArchiveDialog : ActivateDialog;
  const done = () => {
    clear?.();
    onClose();
  };
  return <Step apps={records} onClose={onClose} onDone={done} />;
};
