import { t } from "@lingui/core/macro";
import { signInWithSso } from "@purser/contract/auth/sso";
import type { Wire } from "@purser/contract/http/endpoint";
import { use, useEffect, useEffectEvent } from "react";
import { call } from "#lib/api/call.ts";
import { type Outcome, outcomeOf } from "#lib/api/userFacingError.ts";
import type { Me } from "#lib/session/session.ts";
import { Refused } from "#ui/page/Callout.tsx";

type Entered = Wire<typeof signInWithSso>["reply"];

/** An answer can be used only once, so renders share one request. */
const handedOver = new Map<string, Promise<Outcome<Entered>>>();

const handOver = (answer: string) => {
  const known = handedOver.get(answer);
  if (known) return known;
  const sent = outcomeOf(call(signInWithSso, { body: { answer }, signedOut: "throw" }));
  handedOver.set(answer, sent);
  return sent;
};

type Props = {
  /** The query string that the identity provider sent back. */
  answer: string;
  onSignedIn: (me: Me, redirect?: string) => void;
  onTwoFactor: (challenge: string) => void;
};

/** Completes single sign-on: signs in, asks for the second step, or shows why not. */
export const SsoReturn = ({ answer, onSignedIn, onTwoFactor }: Props) => {
  const { value, refusal } = use(handOver(answer));
  const goOn = useEffectEvent(({ entered, redirect }: Entered) => {
    if (entered.state === "signed in") onSignedIn(entered.me, redirect ?? undefined);
    else onTwoFactor(entered.challenge);
  });
  useEffect(() => {
    if (value) goOn(value);
  }, [value]);
  return refusal ? <Refused refusal={refusal} /> : <p role="status">{t`loading...`}</p>;
};
