import { Button } from "@mantine/core";
import { Moment } from "#ui/Moment.tsx";
import { Callout } from "#ui/page/Callout.tsx";

type Props = {
  draft: { offer: { savedAt: string } | null; restore: () => void; forget: () => void };
};

/** Offers unsaved changes of the last visit. */
export const DraftOffer = ({ draft }: Props) => {
  if (!draft.offer) return null;
  const answer = (act: () => void) => {
    act();
    // The clicked button is gone.
    document.querySelector<HTMLElement>("[data-page-heading]")?.focus();
  };
  return (
    <div className="draft-offer">
      <Callout tone="warn" icon="history" role="status">
        <p>
          You have unsaved changes from <Moment at={draft.offer.savedAt} />.
        </p>
        <Button size="xs" variant="default" onClick={() => answer(draft.restore)}>
          Restore
        </Button>
        <Button size="xs" variant="subtle" onClick={() => answer(draft.forget)}>
          Throw away
        </Button>
      </Callout>
    </div>
  );
};
