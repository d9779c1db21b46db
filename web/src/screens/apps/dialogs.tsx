import { deleteApp } from "@purser/contract/apps/endpoints";
import { useQuery } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { number } from "#lib/labels.ts";
import { dayMs } from "#lib/time/dates.ts";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { Consequences } from "#ui/dialogs/Dialog.tsx";
import { toast } from "#ui/popups/toast.ts";
import { meantBy } from "#ui/record/lifecycle.tsx";
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

export const ArchiveDialog = ({ apps, ...ways }: Props) => {
  const { single, what } = meantBy(apps, "app");
  const { valid, used } = useKeysInUse(apps);
  return (
    <Confirm
      {...ways}
      title={`Archive ${what}?`}
      fact={`${single ? "It leaves" : "They leave"} the catalogue, and can be brought back at any time.`}
      sign={{ icon: "archive", tone: "warn" }}
      button={`Archive ${what}`}
      act={() => (single ? archive(single) : applyToMany("archive", apps))}
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
    </Confirm>
  );
};

export const ActivateDialog = ({ apps, ...ways }: Props) => {
  const { single, what } = meantBy(apps, "app");
  return (
    <Confirm
      {...ways}
      title={`Activate ${what}?`}
      fact="It can then be put into packages and sold."
      sign={{ icon: "player-play", tone: "info" }}
      button={`Activate ${what}`}
      act={() => (single ? activate(single) : applyToMany("activate", apps))}
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
    </Confirm>
  );
};

type DeleteProps = { app: App; onClose: () => void; onDeleted: () => void };

export const DeleteDialog = ({ app, onClose, onDeleted }: DeleteProps) => {
  const { id, name, code, version, keys } = app;
  return (
    <Confirm
      onClose={onClose}
      isHard
      typed={code}
      title={`Delete the app ${name}?`}
      sign={{ icon: "trash", tone: "bad" }}
      button={`Delete ${name}`}
      act={async () => {
        await call(deleteApp, { params: { id }, version });
        toast(`${name} is deleted.`);
        onDeleted();
        void appsChanged();
      }}
    >
      <p>This cannot be undone. What goes with it:</p>
      <Consequences
        of={[
          { icon: "apps", what: "Drafts that are gone", amount: "1" },
          { icon: "key", what: "Keys that stop", amount: number(keys) },
          { icon: "history", what: "Entries of its history that are lost", amount: "0" },
        ]}
      />
    </Confirm>
  );
};
