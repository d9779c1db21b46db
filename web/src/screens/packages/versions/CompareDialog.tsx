import { t } from "@lingui/core/macro";
import { Button, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog } from "#ui/dialogs/Dialog.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Diff } from "#ui/record/Diff.tsx";
import { stateLabels, versionLabel } from "../labels.ts";
import { type Contents, contentsQuery, type Version } from "../queries.ts";
import { differencesOf } from "./compare.ts";

const Differences = ({ before, after }: { before: Contents; after: Contents }) => {
  const groups = differencesOf(before, after);
  const { number: from } = before;
  const { number: to } = after;
  if (groups.length === 0)
    return (
      <p className="soft">{t`Versions ${from} and ${to} have the same content and prices.`}</p>
    );
  return groups.map(({ title, differences }) => (
    <section key={title} className="compared">
      <h3>{title}</h3>
      <Diff
        changes={differences.map(({ what, before: old, after: next }) => ({
          field: what,
          before: old ?? t`Not included`,
          after: next ?? t`Not included`,
        }))}
      />
    </section>
  ));
};

type Props = {
  id: string;
  versions: Version[];
  from: number;
  to: number;
  onClose: () => void;
};

/** The differences in content and prices between two versions. */
export const CompareDialog = ({ id, versions, onClose, ...chosen }: Props) => {
  const [from, setFrom] = useState(chosen.from);
  const [to, setTo] = useState(chosen.to);
  const before = useQuery(contentsQuery(id, from));
  const after = useQuery(contentsQuery(id, to));
  const error = before.error ?? after.error;
  const options = versions.map(({ number, state }) => ({
    value: String(number),
    label: versionLabel(number, stateLabels[state].word),
  }));
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t`Compare versions`}
      fact={t`Differences in apps, values, prices and trial.`}
      sign={{ icon: "git-compare", tone: "info" }}
      size={680}
      foot={
        <>
          <span className="spacer" />
          <Button variant="default" onClick={onClose}>
            {t`Close`}
          </Button>
        </>
      }
    >
      <div className="form-pair">
        <NativeSelect
          label={t`Before`}
          data={options}
          value={String(from)}
          onChange={({ currentTarget }) => setFrom(Number(currentTarget.value))}
        />
        <NativeSelect
          label={t`After`}
          data={options}
          value={String(to)}
          onChange={({ currentTarget }) => setTo(Number(currentTarget.value))}
        />
      </div>
      {error && (
        <Failed
          title={t`Couldn't load versions`}
          error={error}
          onRetry={() => void Promise.all([before.refetch(), after.refetch()])}
        />
      )}
      <div aria-live="polite">
        {before.data && after.data && <Differences before={before.data} after={after.data} />}
      </div>
    </Dialog>
  );
};
