import type { ButtonProps } from "@mantine/core";
import { startCompanySignIn } from "@purser/contract/auth/sso";
import { call } from "#lib/api/call.ts";
import { Icon } from "#ui/Icon.tsx";
import { SimpleForm } from "#ui/page/SimpleForm.tsx";

type Props = {
  /** What the company calls its sign-in. */
  name: string;
  look: ButtonProps;
  /** The page to open afterwards. */
  redirect: string | undefined;
  /** Before the browser leaves for the company. */
  onLeave?: (() => void) | undefined;
};

/** The document goes: the button stays busy until it is gone. */
const forEver = new Promise<never>(() => undefined);

export const CompanySignIn = ({ name, look, redirect, onLeave }: Props) => (
  <SimpleForm
    button={`Sign in with ${name}`}
    look={{ size: "md", fullWidth: true, leftSection: <Icon name="users" size={18} />, ...look }}
    onSubmit={async () => {
      const body = redirect === undefined ? {} : { redirect };
      const { address } = await call(startCompanySignIn, { body, signedOut: "tell" });
      onLeave?.();
      location.assign(address);
      return forEver;
    }}
  />
);
