import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { startFrom } from "../actions.ts";
import { stateLabels } from "../labels.ts";
import { type Package, versionsQuery } from "../queries.ts";

/** Creates a draft from a version. */
export const StartDraftDialog = ({ stored, onClose }: { stored: Package; onClose: () => void }) => {
  const { data: versions = [] } = useQuery(versionsQuery(stored.id));
  const [chosen, setChosen] = useState<number | null>(null);
  const from = chosen ?? versions[0]?.number ?? 1;
  return (
    <Confirm
      onClose={onClose}
      title={`Start a draft of ${stored.name}`}
      fact="What is on sale stays as it is until you publish the draft."
      sign={{ icon: "file-plus", tone: "info" }}
      button="Start draft"
      act={() => startFrom(stored, from)}
    >
      <NativeSelect
        label="With everything of"
        data={versions.map(({ number, state }) => ({
          value: String(number),
          label: `Version ${number}, ${stateLabels[state].word.toLowerCase()}`,
        }))}
        value={String(from)}
        onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
      />
    </Confirm>
  );
};
