import { deletePromotion } from "@purser/contract/promotions/endpoints";
import { call } from "#lib/api/call.ts";
import { number } from "#lib/labels.ts";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { Consequences } from "#ui/dialogs/Dialog.tsx";
import { ConfirmDelete, ConfirmStep } from "#ui/record/lifecycleDialogs.tsx";
import { applyToMany, archive, publish } from "./actions.ts";
import { audienceLabels, codeLabels, discountLabels, targetLabels } from "./labels.ts";
import { type Promotion, promotionsChanged } from "./queries.ts";
import { scheduleLabels, zone } from "./schedule.ts";

type Props = { promotions: Promotion[]; onClose: () => void; onDone?: () => void };

/** Shows what buyers get from now on before publishing. */
export const PublishDialog = ({ promotions: [promotion], onClose }: Props) =>
  promotion && (
    <Confirm
      onClose={onClose}
      title={`Publish ${promotion.name}?`}
      fact="Buyers can then use it, within its time and limits."
      sign={{ icon: "player-play", tone: "info" }}
      button={`Publish ${promotion.name}`}
      act={() => publish(promotion)}
    >
      <Consequences
        of={[
          { icon: "discount", what: "What it gives", amount: discountLabels(promotion) },
          { icon: "package", what: "Applies to", amount: targetLabels(promotion) },
          { icon: "users", what: "Who may use it", amount: audienceLabels[promotion.audience] },
          { icon: "key", what: "Code", amount: codeLabels(promotion) },
          { icon: "calendar-clock", what: `Runs (${zone})`, amount: scheduleLabels(promotion) },
        ]}
      />
      <p className="soft">
        It cannot become a draft again; it can be paused and archived. Once somebody used it, its
        value, targets and audience stay.
      </p>
    </Confirm>
  );

export const ArchiveDialog = ({ promotions, ...handlers }: Props) => {
  const isOne = promotions.length === 1;
  const uses = promotions.reduce((sum, one) => sum + one.uses, 0);
  return (
    <ConfirmStep
      {...handlers}
      action="archive"
      records={promotions}
      one="promotion"
      fact={`Nobody can use ${isOne ? "it" : "them"} then. ${isOne ? "It" : "They"} can be brought back at any time.`}
      actions={{ archive, applyToMany }}
    >
      <Consequences
        of={[
          {
            icon: "discount",
            what: "Promotions that nobody can use any more",
            amount: number(promotions.length),
          },
          { icon: "history", what: "Past uses that stay as they are", amount: number(uses) },
          { icon: "ban", what: "Discounts that are taken back", amount: "0" },
        ]}
      />
    </ConfirmStep>
  );
};

type DeleteProps = { promotion: Promotion; onClose: () => void };

export const DeleteDialog = ({ promotion, onClose }: DeleteProps) => (
  <ConfirmDelete
    record={promotion}
    one="draft"
    typed={promotion.name}
    remove={(sent) => call(deletePromotion, sent)}
    onDeleted={() => void promotionsChanged()}
    onClose={onClose}
    consequences={[
      { icon: "discount", what: "Drafts that are gone", amount: "1" },
      { icon: "key", what: "Codes that nobody used", amount: number(promotion.codes) },
    ]}
  />
);
