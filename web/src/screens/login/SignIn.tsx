import { signIn } from "@purser/contract/session";
import { browserSupportsWebAuthn } from "@simplewebauthn/browser";
import { call } from "#lib/call.ts";
import { signInByPasskey } from "#lib/passkeys.ts";
import type { Me } from "#lib/session.ts";
import { Field } from "#ui/Field.tsx";
import { Form } from "#ui/Form.tsx";
import { focusFirst } from "#ui/focus.ts";

type Props = {
  email: string;
  onSignedIn: (me: Me) => void;
  onSecondFactor: (challenge: string) => void;
  onForgotten: () => void;
};

export const SignIn = ({ email, onSignedIn, onSecondFactor, onForgotten }: Props) => (
  <>
    <Form
      button="Sign in"
      onSubmit={async (read) => {
        const body = { email: read("email"), password: read("password") };
        const answer = await call(signIn, { body });
        if (answer.state === "signed in") onSignedIn(answer.me);
        else onSecondFactor(answer.challenge);
      }}
    >
      <Field
        label="Mail"
        name="email"
        type="email"
        autoComplete="username"
        required
        defaultValue={email}
        ref={email ? null : focusFirst}
      />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        ref={email ? focusFirst : null}
      />
    </Form>
    {browserSupportsWebAuthn() && (
      <Form button="Use a passkey" onSubmit={async () => onSignedIn(await signInByPasskey())} />
    )}
    <p>
      <button type="button" onClick={onForgotten}>
        Forgot password?
      </button>
    </p>
  </>
);
