import { signInWithCode } from "@purser/contract/session";
import { call } from "#lib/call.ts";
import type { Me } from "#lib/session.ts";
import { Field } from "#ui/Field.tsx";
import { Form } from "#ui/Form.tsx";
import { focusFirst } from "#ui/focus.ts";

type Props = { challenge: string; onSignedIn: (me: Me) => void };

/** Codes are read aloud and copied with spaces and capitals. */
const tidied = (code: string) => code.replace(/\s/g, "").toLowerCase();

export const Code = ({ challenge, onSignedIn }: Props) => (
  <Form
    button="Confirm"
    onSubmit={async (read) => {
      const body = { challenge, code: tidied(read("code")) };
      const { me } = await call(signInWithCode, { body });
      onSignedIn(me);
    }}
  >
    <Field
      label="Code"
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      required
      hint="6 digits from your authenticator, or a recovery code."
      ref={focusFirst}
    />
  </Form>
);
