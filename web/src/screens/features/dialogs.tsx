import { deleteFeature } from "@purser/contract/features/endpoints";
import { useQuery } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { number } from "#lib/labels.ts";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { Consequences } from "#ui/dialogs/Dialog.tsx";
import { toast } from "#ui/popups/toast.ts";
import { meantBy } from "#ui/record/lifecycle.tsx";
import { activate, applyToMany, archive } from "./actions.ts";
import { type Feature, featuresChanged, usesQuery } from "./queries.ts";

type Props = { features: Feature[]; onClose: () => void; onDone?: () => void };

/** Customers who have the feature now. Only requested for a single feature. */
const useHolders = (features: Feature[]) => {
  const [only] = features;
  const { data } = useQuery({ ...usesQuery(only?.id ?? ""), enabled: features.length === 1 });
  return data?.reduce((sum, { holders }) => sum + holders, 0);
};

export const ArchiveDialog = ({ features, ...ways }: Props) => {
  const { single, what } = meantBy(features, "feature");
  const packages = features.reduce((sum, feature) => sum + feature.packages, 0);
  const holders = useHolders(features);
  return (
    <Confirm
      {...ways}
      title={`Archive ${what}?`}
      fact={`${single ? "It leaves" : "They leave"} the catalogue, and can be brought back at any time.`}
      sign={{ icon: "archive", tone: "warn" }}
      button={`Archive ${what}`}
      act={() => (single ? archive(single) : applyToMany("archive", features))}
    >
      <Consequences
        of={[
          {
            icon: "adjustments",
            what: "Features that can no longer be put into a package",
            amount: number(features.length),
          },
          {
            icon: "package",
            what: single ? "Packages that go on giving it" : "Places in packages that stay",
            amount: number(packages),
          },
          ...(holders === undefined
            ? []
            : [{ icon: "users" as const, what: "People who keep it", amount: number(holders) }]),
          { icon: "ban", what: "Rights that end", amount: "0" },
        ]}
      />
      <p className="soft">What people may use already stays theirs until it ends.</p>
    </Confirm>
  );
};

export const ActivateDialog = ({ features, ...ways }: Props) => {
  const { single, what } = meantBy(features, "feature");
  return (
    <Confirm
      {...ways}
      title={`Activate ${what}?`}
      fact={`${single ? "It" : "They"} can then be put into packages.`}
      sign={{ icon: "player-play", tone: "info" }}
      button={`Activate ${what}`}
      act={() => (single ? activate(single) : applyToMany("activate", features))}
    >
      <p>
        {single ? "The feature" : "The features"} cannot become{" "}
        {single ? "a draft again; it" : "drafts again; they"} can be archived. Code and kind stay
        free until a published package uses {single ? "it" : "them"}.
      </p>
    </Confirm>
  );
};

type DeleteProps = { feature: Feature; onClose: () => void; onDeleted: () => void };

export const DeleteDialog = ({ feature, onClose, onDeleted }: DeleteProps) => {
  const { id, name, code, version } = feature;
  return (
    <Confirm
      onClose={onClose}
      isHard
      typed={code}
      title={`Delete the feature ${name}?`}
      sign={{ icon: "trash", tone: "bad" }}
      button={`Delete ${name}`}
      act={async () => {
        await call(deleteFeature, { params: { id }, version });
        toast(`${name} is deleted.`);
        onDeleted();
        void featuresChanged();
      }}
    >
      <p>This cannot be undone. What goes with it:</p>
      <Consequences
        of={[
          { icon: "adjustments", what: "Drafts that are gone", amount: "1" },
          { icon: "package", what: "Packages that lose it", amount: "0" },
          { icon: "history", what: "Entries of its history that are lost", amount: "0" },
        ]}
      />
    </Confirm>
  );
};
