import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { deleteApp } from "@purser/contract/apps/endpoints";
import { useQuery } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import { number } from "#lib/intl.ts";
import { Refused } from "#ui/page/Callout.tsx";
import { ArchiveEffects } from "#ui/record/ArchiveEffects.tsx";
import { type Asking, onlyOf } from "#ui/record/lifecycle.tsx";
import { ConfirmDelete, ConfirmStep } from "#ui/record/lifecycleDialogs.tsx";
import { activate, applyToMany, archive } from "./actions.ts";
import { type App, appsChanged, impactQuery } from "./queries.ts";
import { SuspendDialog } from "./SuspendDialog.tsx";

type Props = { apps: App[]; onClose: () => void; onDone?: () => void };

const ArchiveDialog = ({ apps, ...handlers }: Props) => {
  const { data: impact, error } = useQuery(impactQuery(apps.map(({ id }) => id)));
  if (!impact && !error) return null;
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
      <Refused refusal={error instanceof UserFacingError ? error : null} />
      {impact && (
        <ArchiveEffects
          impact={impact}
          rows={[
            {
              icon: "apps",
              what: t`Apps that can no longer be added to packages`,
              amount: number(apps.length),
            },
            {
              icon: "key",
              what: t`API keys that keep working`,
              amount: number(impact.keys.valid),
            },
          ]}
        />
      )}
      <p className="soft">{t`To cut customers off immediately, suspend the app instead.`}</p>
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

/** Suspending is for one app. */
export type AppAsking = Asking<App> | { about: "suspend"; records: [App]; clear?: () => void };

type DialogProps = { asking: AppAsking; onClose: () => void; onDeleted?: () => void };

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
  if (about === "suspend") return app && <SuspendDialog app={app} onClose={onClose} />;
  const Step = about === "archive" ? ArchiveDialog : ActivateDialog;
  const done = () => {
    clear?.();
    onClose();
  };
  return <Step apps={records} onClose={onClose} onDone={done} />;
};
