import { listApps } from "@purser/contract/apps";
import { listPasskeys, signOut, signOutEverywhere } from "@purser/contract/session";
import { Suspense, useState } from "react";
import { CallError, call } from "#lib/call.ts";
import { outcomeOf } from "#lib/refusal.ts";
import type { Me } from "#lib/session.ts";
import { Form } from "#ui/Form.tsx";
import { focusFirst } from "#ui/focus.ts";
import { Apps } from "./Apps.tsx";
import { Authenticator } from "./Authenticator.tsx";
import { Passkeys } from "./Passkeys.tsx";

type Props = { me: Me; onSignedOut: () => void };

/** Whoever is signed out already wanted just that. */
const unlessEnded = (error: unknown) => {
  if (!(error instanceof CallError && error.is("unauthenticated"))) throw error;
};

export const Home = ({ me, onSignedOut }: Props) => {
  const [apps] = useState(() => outcomeOf(call(listApps)));
  const [passkeys] = useState(() => outcomeOf(call(listPasskeys)));
  const loading = <p>loading...</p>;
  return (
    <main>
      <h1 tabIndex={-1} ref={focusFirst}>
        Purser
      </h1>
      <p>
        Signed in as {me.name} ({me.email}), {me.role}.
      </p>
      <h2>Apps</h2>
      <Suspense fallback={loading}>
        <Apps page={apps} />
      </Suspense>
      <h2>Passkeys</h2>
      <Suspense fallback={loading}>
        <Passkeys email={me.email} list={passkeys} />
      </Suspense>
      <h2>Authenticator</h2>
      <Authenticator email={me.email} on={me.secondFactor} />
      <h2>Leave</h2>
      <Form
        button="Sign out"
        onSubmit={async () => {
          await call(signOut).catch(unlessEnded);
          onSignedOut();
        }}
      />
      <Form
        button="Sign out everywhere"
        onSubmit={async () => {
          await call(signOutEverywhere).catch(unlessEnded);
          onSignedOut();
        }}
      />
    </main>
  );
};
