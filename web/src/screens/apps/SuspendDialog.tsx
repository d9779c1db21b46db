import { t } from "@lingui/core/macro";
import { suspendApp } from "@purser/contract/apps/endpoints";
import { useQuery } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import { number } from "#lib/intl.ts";
import { ActionDialog, Reason } from "#ui/dialogs/ActionDialog.tsx";
import { Consequences, Dialog } from "#ui/dialogs/Dialog.tsx";
import { Moment } from "#ui/Moment.tsx";
import { Refused } from "#ui/page/Callout.tsx";
import { customersLabel, renewingRow } from "#ui/record/ArchiveEffects.tsx";
import { resume } from "./actions.ts";
import { type App, appSaved, appsChanged, impactQuery } from "./queries.ts";

type Props = { app: App; onClose: () => void };

/** Suspends an app for a reason, after showing who loses access. */
export const SuspendDialog = ({ app, onClose }: Props) => {
  const { id, name, version, status } = app;
  const { data, error } = useQuery(impactQuery([id]));
  const title = t`Suspend ${name}?`;
  if (error && !data)
    return (
      <Dialog opened onClose={onClose} title={title}>
        <Refused refusal={error instanceof UserFacingError ? error : null} />
      </Dialog>
    );
  if (!data) return null;
  const { versions, keys } = data;
  const onSale = versions.filter(({ state }) => state === "on sale").length;
  return (
    <ActionDialog
      onClose={onClose}
      title={title}
      fact={t`No customer can use it until you resume it.`}
      sign={{ icon: "player-pause", tone: "bad" }}
      button={t`Suspend ${name}`}
      isHard
      action={async (read, keyFor) => {
        const body = { reason: read("reason") };
        const saved = await call(suspendApp, {
          params: { id },
          version,
          body,
          key: keyFor(body),
        });
        appSaved(saved);
        return saved;
      }}
      changed={appsChanged}
      told={() => t`${name} suspended`}
      undo={resume}
    >
      {(errors) => (
        <>
          <Consequences
            of={[
              {
                icon: "users",
                what: t`Customers who lose access now`,
                amount: customersLabel(data),
              },
              ...renewingRow(data),
              ...(status === "archived"
                ? []
                : [
                    {
                      icon: "package" as const,
                      what: t`Packages that remain on sale`,
                      amount: number(onSale),
                    },
                  ]),
              { icon: "key", what: t`Active API keys`, amount: number(keys.valid) },
              {
                icon: "clock",
                what: t`Last API request`,
                amount: keys.lastUsedAt ? <Moment at={keys.lastUsedAt} /> : t`Never`,
              },
            ]}
          />
          <p className="soft">
            {status === "archived"
              ? t`Default values don't apply either.`
              : t`Default values don't apply either. To stop sales, archive the app or take its packages off sale.`}
          </p>
          <Reason errors={errors} isAutoFocus />
        </>
      )}
    </ActionDialog>
  );
};
