import { t } from "@lingui/core/macro";
import "./login.css";
import "#ui/money/Ticket.css";
import { getLink } from "@purser/contract/auth/passwords";
import { useRouter, useSearch } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { call } from "#lib/api/call.ts";
import { type Outcome, outcomeOf } from "#lib/api/userFacingError.ts";
import { shownMode } from "#lib/page/environments.ts";
import { pageAddress, runtime } from "#lib/page/runtime.ts";
import { type Me, setSession } from "#lib/session/session.ts";
import { destinationOf } from "#shell/signIn/destination.ts";
import { SignIn } from "#shell/signIn/SignIn.tsx";
import { announceSession, onSessionChange } from "#shell/signIn/sessionChannel.ts";
import { Logo } from "#ui/Logo.tsx";
import { Callout } from "#ui/page/Callout.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { useTitle } from "#ui/page/Page.tsx";
import { Forgot } from "./Forgot.tsx";
import { type Link, SetPassword } from "./SetPassword.tsx";

const SsoReturn = part(async () => (await import("./SsoReturn.tsx")).SsoReturn);
const Code = part(async () => (await import("#shell/signIn/CodeForm.tsx")).CodeForm);

type Step =
  | { name: "sign in"; email: string; notice: string; withPassword?: boolean }
  | { name: "code"; challenge: string }
  | { name: "forgot" }
  | { name: "set password"; token: string; link: Promise<Outcome<Link>> }
  | { name: "sso"; answer: string };

const titles = {
  "sign in": t`Sign in`,
  code: t`Enter the 6-digit code`,
  forgot: t`Forgot password`,
  "set password": t`Set your password`,
  sso: t`Sign in`,
} satisfies Record<Step["name"], string>;

const firstStep = (answer: string): Step => {
  const hash = new URLSearchParams(location.hash.slice(1));
  const token = hash.get("set-password");
  if (token)
    return {
      name: "set password",
      token,
      link: outcomeOf(call(getLink, { body: { token }, signedOut: "throw" })),
    };
  if (answer) return { name: "sso", answer };
  return { name: "sign in", email: "", notice: "", withPassword: hash.has("password") };
};

const { company, version } = runtime;

const Stub = () => (
  <header className="login-stub">
    <Logo size={36} />
    <div>
      <b>Purser</b>
      <span>{company === "Purser" ? t`Dashboard` : t`${company} dashboard`}</span>
    </div>
    <span className="spacer" />
    <div className="ticket-fact">
      <span>{t`Environment`}</span>
      <b>{shownMode(runtime)}</b>
    </div>
  </header>
);

export const Login = () => {
  const { redirect, ...answered } = useSearch({ from: "/login" });
  const [step, setStep] = useState(() => firstStep(new URLSearchParams(answered).toString()));
  const router = useRouter();
  useTitle(titles[step.name]);
  // Signed in from another tab: this tab follows.
  useEffect(() => onSessionChange(() => location.reload()), []);

  const enter = (me: Me, to = redirect) => {
    setSession(me);
    announceSession();
    void router.navigate({ href: destinationOf(to), replace: true });
  };
  /** Links work once, and answers of a provider too. */
  const forgetLink = () => history.replaceState(history.state, "", pageAddress("/login"));
  const back = (email: string, notice: string) => {
    forgetLink();
    // A new password can always be used: the server refuses to set one where passwords are off.
    setStep({ name: "sign in", email, notice, withPassword: email !== "" });
  };

  const backButton = (
    <button type="button" onClick={() => back("", "")}>
      {t`Back to sign in`}
    </button>
  );

  return (
    <div className="login">
      <div className="ticket login-ticket">
        <Stub />
        <div className="ticket-notch" aria-hidden="true" />
        <main id="main" className="login-body">
          <h1>{titles[step.name]}</h1>
          {step.name === "sign in" && (
            <>
              <div role="status" className="notice">
                {step.notice && (
                  <Callout tone="ok" icon="circle-check">
                    {step.notice}
                  </Callout>
                )}
              </div>
              <SignIn
                email={step.email}
                onAttempt={() => step.notice && setStep({ ...step, notice: "" })}
                onSignedIn={(me) => enter(me)}
                onTwoFactor={(challenge) => setStep({ name: "code", challenge })}
                onForgotten={() => setStep({ name: "forgot" })}
                withPassword={step.withPassword ?? false}
                redirect={redirect}
              />
            </>
          )}
          <Suspense fallback={<p role="status">{t`loading...`}</p>}>
            {step.name === "code" && (
              <Code challenge={step.challenge} onSignedIn={(me) => enter(me)}>
                {backButton}
              </Code>
            )}
            {step.name === "sso" && (
              <SsoReturn
                answer={step.answer}
                onSignedIn={enter}
                onTwoFactor={(challenge) => setStep({ name: "code", challenge })}
              />
            )}
            {step.name === "set password" && (
              <SetPassword
                token={step.token}
                link={step.link}
                onSignedIn={(me) => enter(me)}
                onTwoFactor={(challenge) => {
                  forgetLink();
                  setStep({ name: "code", challenge });
                }}
                onSet={(email) => back(email, t`Password set. Sign in to continue.`)}
              />
            )}
          </Suspense>
          {step.name === "forgot" && <Forgot />}
          {step.name !== "sign in" && step.name !== "code" && (
            <p className="sign-in-links">{backButton}</p>
          )}
        </main>
      </div>
      <footer className="login-foot">
        <span>{t`Your activity is logged.`}</span>
        <span>Purser {version}</span>
      </footer>
    </div>
  );
};
