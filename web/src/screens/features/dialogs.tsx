import { plural, t } from "@lingui/core/macro";
import { deleteFeature } from "@purser/contract/features/endpoints";
import { useQuery } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { number } from "#lib/intl.ts";
import { Consequences } from "#ui/dialogs/Dialog.tsx";
import { type Asking, onlyOf } from "#ui/record/lifecycle.tsx";
import { ConfirmDelete, ConfirmStep } from "#ui/record/lifecycleDialogs.tsx";
import { activate, applyToMany, archive } from "./actions.ts";
import { type Feature, featuresChanged, usesQuery } from "./queries.ts";

type Props = { features: Feature[]; onClose: () => void; onDone?: () => void };

/** Customers who have the feature now. Only requested for a single feature. */
const useSubscribers = (features: Feature[]) => {
  const [only] = features;
  const { data } = useQuery({ ...usesQuery(only?.id ?? ""), enabled: features.length === 1 });
  return data?.reduce((sum, { subscribers }) => sum + subscribers, 0);
};

const ArchiveDialog = ({ features, ...handlers }: Props) => {
  const single = onlyOf(features);
  const packages = features.reduce((sum, feature) => sum + feature.packages, 0);
  const subscribers = useSubscribers(features);
  return (
    <ConfirmStep
      {...handlers}
      action="archive"
      records={features}
      many={{
        title: plural(features.length, { one: "Archive # feature?", other: "Archive # features?" }),
        button: plural(features.length, { one: "Archive # feature", other: "Archive # features" }),
      }}
      actions={{ archive, applyToMany }}
    >
      <Consequences
        of={[
          {
            icon: "adjustments",
            what: t`Features that can no longer be added to packages`,
            amount: number(features.length),
          },
          {
            icon: "package",
            what: single ? t`Packages that still include it` : t`Packages that still include them`,
            amount: number(packages),
          },
          ...(subscribers === undefined
            ? []
            : [
                {
                  icon: "users" as const,
                  what: t`Customers who keep access`,
                  amount: number(subscribers),
                },
              ]),
          { icon: "ban", what: t`Customers who lose access`, amount: number(0) },
        ]}
      />
      <p className="soft">{t`Customers keep their access until it expires.`}</p>
    </ConfirmStep>
  );
};

const ActivateDialog = ({ features, ...handlers }: Props) => {
  const single = onlyOf(features);
  return (
    <ConfirmStep
      {...handlers}
      action="activate"
      records={features}
      many={{
        title: plural(features.length, {
          one: "Activate # feature?",
          other: "Activate # features?",
        }),
        button: plural(features.length, {
          one: "Activate # feature",
          other: "Activate # features",
        }),
      }}
      fact={t`Active features can be added to packages.`}
      actions={{ activate, applyToMany }}
    >
      <p>
        {single
          ? t`The feature can't become a draft again. Its code and type can be changed until a published package includes it.`
          : t`The features can't become drafts again. Their codes and types can be changed until a published package includes them.`}
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
          typed={feature.code}
          remove={(sent) => call(deleteFeature, sent)}
          onDeleted={() => {
            onDeleted?.();
            void featuresChanged();
          }}
          onClose={onClose}
          consequences={[
            { icon: "adjustments", what: t`Drafts deleted`, amount: number(1) },
            { icon: "package", what: t`Packages affected`, amount: number(0) },
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
