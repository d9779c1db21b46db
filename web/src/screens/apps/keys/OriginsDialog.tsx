import { t } from "@lingui/core/macro";
import { changeKeyOrigins } from "@purser/contract/apps/keys";
import { call } from "#lib/api/call.ts";
import { ActionDialog } from "#ui/dialogs/ActionDialog.tsx";
import { type App, type AppKey, appsChanged } from "../queries.ts";
import { OriginsField, originsIn } from "./OriginsField.tsx";

type Props = { app: App; appKey: AppKey; onClose: () => void };

export const OriginsDialog = ({ app, appKey, onClose }: Props) => {
  const { id: keyId, name, version, origins } = appKey;
  return (
    <ActionDialog
      onClose={onClose}
      title={t`Origins of ${name}`}
      fact={t`Web pages of removed origins can't use the key anymore, effective immediately.`}
      sign={{ icon: "key", tone: "info" }}
      button={t`Save origins`}
      action={(read) =>
        call(changeKeyOrigins, {
          params: { id: app.id, keyId },
          version,
          body: { origins: originsIn(read("origins")) },
        })
      }
      changed={appsChanged}
      told={() => t`Origins of ${name} saved`}
    >
      {(errors) => <OriginsField value={origins} error={errors["origins"]} isAutoFocus />}
    </ActionDialog>
  );
};
