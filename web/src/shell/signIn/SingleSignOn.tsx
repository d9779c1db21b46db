import { t } from "@lingui/core/macro";
import type { ButtonProps } from "@mantine/core";
import { startSso } from "@purser/contract/auth/sso";
import { call } from "#lib/api/call.ts";
import { Icon } from "#ui/Icon.tsx";
import { SimpleForm } from "#ui/page/SimpleForm.tsx";

type Props = {
  /** The name of the identity provider. */
  name: string;
  look: ButtonProps;
  /** The page to open afterwards. */
  redirect: string | undefined;
  /** Called before the browser leaves for the identity provider. */
  onLeave?: (() => void) | undefined;
};

/** Never resolves, so that the button stays busy until the page is gone. */
const forEver = new Promise<never>(() => undefined);

export const SingleSignOn = ({ name, look, redirect, onLeave }: Props) => (
  <SimpleForm
    button={t`Sign in with ${name}`}
    look={{ size: "md", fullWidth: true, leftSection: <Icon name="users" size={18} />, ...look }}
    onSubmit={async () => {
      const body = redirect === undefined ? {} : { redirect };
      const { address } = await call(startSso, { body, signedOut: "throw" });
      onLeave?.();
      location.assign(address);
      return forEver;
    }}
  />
);
