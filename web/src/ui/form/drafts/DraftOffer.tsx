import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Moment } from "#ui/Moment.tsx";
import { Callout } from "#ui/page/Callout.tsx";

type Props = {
  draft: { offer: { savedAt: string } | null; restore: () => void; forget: () => void };
};

/** Offers unsaved changes of the last visit. */
export const DraftOffer = ({ draft }: Props) => {
  if (!draft.offer) return null;
  const answer = (action: () => void) => {
    action();
    // The clicked button is gone.
    document.querySelector<HTMLElement>("[data-page-heading]")?.focus();
  };
  return (
    <div className="draft-offer">
      <Callout tone="warn" icon="history" role="status">
        <p>
          <Trans>
            You have unsaved changes from <Moment at={draft.offer.savedAt} />.
          </Trans>
        </p>
        <Button size="xs" variant="default" onClick={() => answer(draft.restore)}>
          {t`Restore`}
        </Button>
        <Button size="xs" variant="subtle" onClick={() => answer(draft.forget)}>
          {t`Discard`}
        </Button>
      </Callout>
    </div>
  );
};
