import { t } from "@lingui/core/macro";
import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { startFrom } from "../actions.ts";
import { stateLabels, versionLabel } from "../labels.ts";
import { type Package, versionsQuery } from "../queries.ts";

/** Creates a draft from a version. */
export const StartDraftDialog = ({ stored, onClose }: { stored: Package; onClose: () => void }) => {
  const { data: versions = [] } = useQuery(versionsQuery(stored.id));
  const [chosen, setChosen] = useState<number | null>(null);
  const { name } = stored;
  const from = chosen ?? versions[0]?.number ?? 1;
  return (
    <Confirm
      onClose={onClose}
      title={t`Create a draft of ${name}`}
      fact={t`The version on sale doesn't change until you publish the draft.`}
      sign={{ icon: "plus", tone: "info" }}
      button={t`Create draft`}
      action={() => startFrom(stored, from)}
    >
      <NativeSelect
        label={t`Copy from`}
        data={versions.map(({ number, state }) => ({
          value: String(number),
          label: versionLabel(number, stateLabels[state].word),
        }))}
        value={String(from)}
        onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
      />
    </Confirm>
  );
};
