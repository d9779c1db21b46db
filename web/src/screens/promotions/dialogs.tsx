import { plural, t } from "@lingui/core/macro";
import { deletePromotion } from "@purser/contract/promotions/endpoints";
import { countedCodesMax, promotionFields } from "@purser/contract/promotions/fields";
import { call } from "#lib/api/call.ts";
import { number } from "#lib/intl.ts";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { Consequences } from "#ui/dialogs/Dialog.tsx";
import { ConfirmDelete, ConfirmStep } from "#ui/record/lifecycleDialogs.tsx";
import { applyToMany, archive, publish } from "./actions.ts";
import { audienceLabels, codeLabels, discountLabels, targetLabels } from "./labels.ts";
import { type Promotion, promotionsChanged } from "./queries.ts";
import { scheduleLabels, zone } from "./schedule.ts";

type Props = { promotions: Promotion[]; onClose: () => void; onDone?: () => void };

/** Shows what buyers get from now on before publishing. */
export const PublishDialog = ({ promotions: [promotion], onClose }: Props) => {
  if (!promotion) return null;
  const { name } = promotion;
  return (
    <Confirm
      onClose={onClose}
      title={t`Publish ${name}?`}
      fact={t`Customers can then use it, within its schedule and limits.`}
      sign={{ icon: "player-play", tone: "info" }}
      button={t`Publish ${name}`}
      action={() => publish(promotion)}
      wanted={{
        operation: "POST /promotions/:id/publish",
        params: { id: promotion.id },
        body: {},
        version: promotion.version,
      }}
    >
      <Consequences
        of={[
          { icon: "discount", what: t`Discount`, amount: discountLabels(promotion) },
          { icon: "package", what: t`Applies to`, amount: targetLabels(promotion) },
          {
            icon: "users",
            what: promotionFields.audience.label,
            amount: audienceLabels[promotion.audience],
          },
          { icon: "key", what: t`Code`, amount: codeLabels(promotion) },
          {
            icon: "calendar-clock",
            what: t`Schedule (${zone})`,
            amount: scheduleLabels(promotion),
          },
        ]}
      />
      <p className="soft">
        {t`You can pause or archive it later. After the first redemption, the discount and who it applies to can't be changed.`}
      </p>
    </Confirm>
  );
};

export const ArchiveDialog = ({ promotions, ...handlers }: Props) => {
  const redemptions = promotions.reduce((sum, one) => sum + one.redemptions, 0);
  return (
    <ConfirmStep
      {...handlers}
      action="archive"
      records={promotions}
      many={{
        title: plural(promotions.length, {
          one: "Archive # promotion?",
          other: "Archive # promotions?",
        }),
        button: plural(promotions.length, {
          one: "Archive # promotion",
          other: "Archive # promotions",
        }),
      }}
      fact={plural(promotions.length, {
        one: "No one can use it until you restore it.",
        other: "No one can use them until you restore them.",
      })}
      actions={{ archive, applyToMany }}
    >
      <Consequences
        of={[
          {
            icon: "discount",
            what: t`Promotions no longer available`,
            amount: number(promotions.length),
          },
          { icon: "history", what: t`Past redemptions kept`, amount: number(redemptions) },
        ]}
      />
      <p className="soft">{t`Existing discounts continue.`}</p>
    </ConfirmStep>
  );
};

type DeleteProps = { promotion: Promotion; onClose: () => void };

const codesLabel = (codes: number) =>
  codes < countedCodesMax ? number(codes) : `${number(countedCodesMax)}+`;

export const DeleteDialog = ({ promotion, onClose }: DeleteProps) => (
  <ConfirmDelete
    record={promotion}
    typed={promotion.name}
    remove={(sent) => call(deletePromotion, sent)}
    onDeleted={() => void promotionsChanged()}
    onClose={onClose}
    consequences={[
      { icon: "discount", what: t`Drafts deleted`, amount: number(1) },
      { icon: "key", what: t`Unused codes deleted`, amount: codesLabel(promotion.codes) },
    ]}
  />
);
