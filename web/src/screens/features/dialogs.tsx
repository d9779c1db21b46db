import { plural, t } from "@lingui/core/macro";
import { deleteFeature } from "@purser/contract/features/endpoints";
import { useQuery } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import { number } from "#lib/intl.ts";
import { Refused } from "#ui/page/Callout.tsx";
import { ArchiveEffects } from "#ui/record/ArchiveEffects.tsx";
import { type Asking, onlyOf } from "#ui/record/lifecycle.tsx";
import { ConfirmDelete, ConfirmStep } from "#ui/record/lifecycleDialogs.tsx";
import { activate, applyToMany, archive } from "./actions.ts";
import { type Feature, featuresChanged, impactQuery } from "./queries.ts";

type Props = { features: Feature[]; onClose: () => void; onDone?: () => void };

const ArchiveDialog = ({ features, ...handlers }: Props) => {
  const { data: impact, error } = useQuery(impactQuery(features.map(({ id }) => id)));
  if (!impact && !error) return null;
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
      <Refused refusal={error instanceof UserFacingError ? error : null} />
      {impact && (
        <ArchiveEffects
          impact={impact}
          rows={[
            {
              icon: "adjustments",
              what: t`Features that can no longer be added to packages`,
              amount: number(features.length),
            },
          ]}
        />
      )}
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
