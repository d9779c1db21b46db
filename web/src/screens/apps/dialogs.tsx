import { deleteApp } from "@purser/contract/apps/endpoints";
import { useQuery } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { number } from "#lib/labels.ts";
import { dayMs } from "#lib/time/dates.ts";
import { Consequences } from "#ui/dialogs/Dialog.tsx";
import { type Asking, meantBy } from "#ui/record/lifecycle.tsx";
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
      one="app"
      actions={{ archive, applyToMany }}
    >
      <Consequences
        of={[
          {
            icon: "apps",
            what: "Apps that can no longer be put into a package",
            amount: number(apps.length),
          },
          { icon: "key", what: "Keys that go on answering", amount: number(valid) },
          ...(used === undefined
            ? []
            : [
                {
                  icon: "clock" as const,
                  what: "Of these, used in the last 7 days",
                  amount: number(used),
                },
              ]),
          { icon: "ban", what: "Rights that end", amount: "0" },
        ]}
      />
      <p className="soft">
        What people may use already stays theirs until it ends. To stop an app at once, revoke its
        keys.
      </p>
    </ConfirmStep>
  );
};

const ActivateDialog = ({ apps, ...handlers }: Props) => {
  const { single } = meantBy(apps, "app");
  return (
    <ConfirmStep
      {...handlers}
      action="activate"
      records={apps}
      one="app"
      fact="It can then be put into packages and sold."
      actions={{ activate, applyToMany }}
    >
      <p>
        {single ? (
          <>
            From then on the code <span className="typed mono">{single.code}</span> stays as it is,
            because other programs name it. The app cannot become a draft again; it can be archived.
          </>
        ) : (
          "From then on their codes stay as they are, because other programs name them. They cannot become drafts again; they can be archived."
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
          one="app"
          typed={app.code}
          remove={(sent) => call(deleteApp, sent)}
          onDeleted={() => {
            onDeleted?.();
            void appsChanged();
          }}
          onClose={onClose}
          consequences={[
            { icon: "apps", what: "Drafts that are gone", amount: "1" },
            { icon: "key", what: "Keys that stop", amount: number(app.keys) },
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
