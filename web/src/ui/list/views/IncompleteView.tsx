import { t } from "@lingui/core/macro";
import { Callout } from "#ui/page/Callout.tsx";

/** The list no longer has everything that the view was saved with. */
export const IncompleteView = () => (
  <div className="list-note view-note">
    <Callout tone="warn" icon="alert-triangle" role="status">
      {t`Some filters or columns of this view no longer exist. They were left out.`}
    </Callout>
  </div>
);
