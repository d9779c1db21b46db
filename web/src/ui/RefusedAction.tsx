import { Suspense } from "react";
import type { Refusal } from "#lib/refusal.ts";
import { needsSecond, type Wanted } from "./approval.ts";
import { Refused } from "./Callout.tsx";
import { part } from "./lazyPart.tsx";

const AskSecond = part(async () => (await import("./RequestApproval.tsx")).AskSecond);

type Props = { refusal: Refusal | null; wanted: Wanted | null; onAsked: () => void };

/** Why it was not done; where it needs a second person, the way to ask one. */
export const RefusedAct = ({ refusal, wanted, onAsked }: Props) =>
  wanted && needsSecond(refusal) ? (
    <Suspense>
      <AskSecond error={refusal} wanted={wanted} onAsked={onAsked} />
    </Suspense>
  ) : (
    <Refused refusal={refusal} />
  );
