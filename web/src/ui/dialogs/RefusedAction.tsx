import { Suspense } from "react";
import type { UserFacingError } from "#lib/api/userFacingError.ts";
import { Refused } from "../page/Callout.tsx";
import { part } from "../page/lazyPart.tsx";
import { needsApproval, type Wanted } from "./approval.ts";

const RequestApproval = part(async () => (await import("./RequestApproval.tsx")).RequestApproval);

type Props = {
  refusal: UserFacingError | null;
  wanted: Wanted | null;
  /** The label of the button that requests approval, if it names more than that. */
  button?: string;
  onRequested: () => void;
};

/** Why the action failed, with a button to request approval where that is the reason. */
export const RefusedAction = ({ refusal, wanted, button, onRequested }: Props) =>
  wanted && needsApproval(refusal) ? (
    <Suspense>
      <RequestApproval
        error={refusal}
        wanted={wanted}
        onRequested={onRequested}
        {...(button && { button })}
      />
    </Suspense>
  ) : (
    <Refused refusal={refusal} />
  );
