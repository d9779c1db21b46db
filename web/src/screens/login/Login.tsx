import { getLink } from "@purser/contract/session";
import { Suspense, useState } from "react";
import { call } from "#lib/call.ts";
import { type Outcome, outcomeOf } from "#lib/refusal.ts";
import type { Me } from "#lib/session.ts";
import { Code } from "./Code.tsx";
import { Forgot } from "./Forgot.tsx";
import { type Link, SetPassword } from "./SetPassword.tsx";
import { SignIn } from "./SignIn.tsx";

type Step =
  | { name: "sign in"; email: string; notice: string }
  | { name: "code"; challenge: string }
  | { name: "forgot" }
  | { name: "set password"; token: string; link: Promise<Outcome<Link>> };

const titles = {
  "sign in": "Sign in",
  code: "Confirm that it is you",
  forgot: "Forgot password",
  "set password": "Set your password",
} satisfies Record<Step["name"], string>;

const signInStep: Step = { name: "sign in", email: "", notice: "" };

const firstStep = (token: string | null): Step =>
  token
    ? { name: "set password", token, link: outcomeOf(call(getLink, { body: { token } })) }
    : signInStep;

type Props = {
  /** Of the link that somebody came with. */
  token: string | null;
  onSignedIn: (me: Me) => void;
};

export const Login = ({ token, onSignedIn }: Props) => {
  const [step, setStep] = useState(() => firstStep(token));

  const leaveLink = (email: string, notice: string) => {
    history.replaceState(null, "", "/login");
    setStep({ name: "sign in", email, notice });
  };

  return (
    <main>
      <h1>{titles[step.name]}</h1>
      {step.name === "sign in" && (
        <>
          <p role="status">{step.notice}</p>
          <SignIn
            email={step.email}
            onSignedIn={onSignedIn}
            onSecondFactor={(challenge) => setStep({ name: "code", challenge })}
            onForgotten={() => setStep({ name: "forgot" })}
          />
        </>
      )}
      {step.name === "code" && <Code challenge={step.challenge} onSignedIn={onSignedIn} />}
      {step.name === "forgot" && <Forgot />}
      {step.name === "set password" && (
        <Suspense fallback={<p>loading...</p>}>
          <SetPassword
            token={step.token}
            link={step.link}
            onSet={(email) => leaveLink(email, "Your password is set. Sign in with it.")}
          />
        </Suspense>
      )}
      {step.name !== "sign in" && (
        <p>
          <button type="button" onClick={() => leaveLink("", "")}>
            Back to sign in
          </button>
        </p>
      )}
    </main>
  );
};
