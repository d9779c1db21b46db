import { deleteFeature } from "@purser/contract/features/endpoints";
import { useQuery } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { number } from "#lib/labels.ts";
import { Consequences } from "#ui/dialogs/Dialog.tsx";
import { type Asking, meantBy } from "#ui/record/lifecycle.tsx";
import { ConfirmDelete, ConfirmStep } from "#ui/record/lifecycleDialogs.tsx";
import { activate, applyToMany, archive } from "./actions.ts";
import { type Feature, featuresChanged, usesQuery } from "./queries.ts";

type Props = { features: Feature[]; onClose: () => void; onDone?: () => void };

/** Customers who have the feature now. Only requested for a single feature. */
const useSubscribers = (features: Feature[]) => {
  const [only] = features;
  const { data } = useQuery({ ...usesQuery(only?.id ?? ""), enabled: features.length === 1 });
  return data?.reduce((sum, { holders }) => sum + holders, 0);
};

const ArchiveDialog = ({ features, ...handlers }: Props) => {
  const { single } = meantBy(features, "feature");
  const packages = features.reduce((sum, feature) => sum + feature.packages, 0);
  const subscribers = useSubscribers(features);
  return (
    <ConfirmStep
      {...handlers}
      action="archive"
      records={features}
      one="feature"
      actions={{ archive, applyToMany }}
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
          ...(subscribers === undefined
            ? []
            : [
                { icon: "users" as const, what: "People who keep it", amount: number(subscribers) },
              ]),
          { icon: "ban", what: "Rights that end", amount: "0" },
        ]}
      />
      <p className="soft">What people may use already stays theirs until it ends.</p>
    </ConfirmStep>
  );
};

const ActivateDialog = ({ features, ...handlers }: Props) => {
  const { single } = meantBy(features, "feature");
  return (
    <ConfirmStep
      {...handlers}
      action="activate"
      records={features}
      one="feature"
      fact={`${single ? "It" : "They"} can then be put into packages.`}
      actions={{ activate, applyToMany }}
    >
      <p>
        {single ? "The feature" : "The features"} cannot become{" "}
        {single ? "a draft again; it" : "drafts again; they"} can be archived. Code and kind stay
        free until a published package uses {single ? "it" : "them"}.
      </p>
    </ConfirmStep>
  );
};

type DialogProps = { asking: Asking<Feature>; onClose: () => void; onDeleted?: () => void };

/** The dialog for the action that was chosen, for one feature or many. */
export const FeatureDialog = ({ asking, onClose, onDeleted }: DialogProps) => {
  const { about, records, clear } = asking;
  const [feature] = records;
  if (about === "delete")
    return (
      feature && (
        <ConfirmDelete
          record={feature}
          one="feature"
          typed={feature.code}
          remove={(sent) => call(deleteFeature, sent)}
          onDeleted={() => {
            onDeleted?.();
            void featuresChanged();
          }}
          onClose={onClose}
          consequences={[
            { icon: "adjustments", what: "Drafts that are gone", amount: "1" },
            { icon: "package", what: "Packages that lose it", amount: "0" },
          ]}
        />
      )
    );
  const Step = about === "archive" ? ArchiveDialog : ActivateDialog;
  const done = () => {
    clear?.();
    onClose();
  };
  return <Step features={records} onClose={onClose} onDone={done} />;
};
