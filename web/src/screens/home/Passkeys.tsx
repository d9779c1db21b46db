import type { Wire } from "@purser/contract/endpoint";
import type { listPasskeys } from "@purser/contract/session";
import { browserSupportsWebAuthn } from "@simplewebauthn/browser";
import { use, useState } from "react";
import { createPasskey } from "#lib/passkeys.ts";
import type { Outcome } from "#lib/refusal.ts";
import { Field } from "#ui/Field.tsx";
import { Form } from "#ui/Form.tsx";
import { PasswordAgain } from "./PasswordAgain.tsx";

type Passkey = Wire<typeof listPasskeys>["reply"]["items"][number];

type Props = { email: string; list: Promise<Outcome<{ items: Passkey[] }>> };

export const Passkeys = ({ email, list }: Props) => {
  const { value: found, refusal } = use(list);
  const [added, setAdded] = useState<Passkey[]>([]);
  if (refusal) return <p role="alert">{refusal.message}</p>;
  const passkeys = [...found.items, ...added];
  return (
    <>
      {passkeys.length > 0 ? (
        <ul>
          {passkeys.map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
        </ul>
      ) : (
        <p>You have no passkey yet.</p>
      )}
      {browserSupportsWebAuthn() && (
        <Form
          button="Add a passkey"
          onSubmit={async (read) => {
            const passkey = await createPasskey({
              name: read("name"),
              password: read("password"),
            });
            setAdded((before) => [...before, passkey]);
          }}
        >
          <Field
            label="Name of the passkey"
            name="name"
            autoComplete="off"
            required
            maxLength={60}
          />
          <PasswordAgain email={email} />
        </Form>
      )}
    </>
  );
};
