import { Suspense } from "react";
import type { Refusal } from "#lib/api/userFacingError.ts";
import { Refused } from "../page/Callout.tsx";
import { part } from "../page/lazyPart.tsx";
import { needsApproval, type Wanted } from "./approval.ts";

const RequestApproval = part(async () => (await import("./RequestApproval.tsx")).RequestApproval);

type Props = { refusal: Refusal | null; wanted: Wanted | null; onAsked: () => void };

/** Why it was not done; where it needs a second person, the way to ask one. */
export const RefusedAction = ({ refusal, wanted, onAsked }: Props) =>
  wanted && needsApproval(refusal) ? (
    <Suspense>
      <RequestApproval error={refusal} wanted={wanted} onAsked={onAsked} />
    </Suspense>
  ) : (
    <Refused refusal={refusal} />
  );
