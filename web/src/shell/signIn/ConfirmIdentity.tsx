import { t } from "@lingui/core/macro";
import "./SignIn.css";
import { Button, PasswordInput, TextInput } from "@mantine/core";
import {
  confirmWithCode,
  confirmWithPassword,
  proofMinutes,
} from "@purser/contract/auth/confirmation";
import { useState } from "react";
import { call, type RefusedCall } from "#lib/api/call.ts";
import { continueAfterReload } from "#lib/drafts/drafts.ts";
import { runtime } from "#lib/page/runtime.ts";
import { useMe } from "#lib/session/session.ts";
import { useSignInMethods } from "#lib/session/signInMethods.ts";
import { Dialog } from "#ui/dialogs/Dialog.tsx";
import { Icon } from "#ui/Icon.tsx";
import { SimpleForm } from "#ui/page/SimpleForm.tsx";
import { endConfirmation } from "./confirmation.ts";
import { confirmedAction } from "./confirmedActions.ts";
import { SingleSignOn } from "./SingleSignOn.tsx";

const confirmed = () => endConfirmation(true);

const Passkey = ({ otherwise }: { otherwise: string }) => (
  <SimpleForm
    button={t`Use passkey`}
    look={{
      size: "md",
      fullWidth: true,
      leftSection: <Icon name="fingerprint" size={18} />,
      // @ts-expect-error Dialogs focus the element with this attribute, so that Enter starts the passkey.
      "data-autofocus": true,
    }}
    onSubmit={async () => {
      const { confirmByPasskey } = await import("#lib/session/passkeys.ts");
      await confirmByPasskey(otherwise);
      confirmed();
    }}
  />
);

/** Codes may be copied with spaces and capitals. */
const tidied = (code: string) => code.replace(/\s/g, "").toLowerCase();

const Code = ({ isRecovery }: { isRecovery: boolean }) => (
  <SimpleForm
    key={String(isRecovery)}
    button={t`Confirm`}
    look={{ size: "md", fullWidth: true }}
    refused="code"
    onSubmit={async (read) => {
      await call(confirmWithCode, { body: { code: tidied(read("code")) } });
      confirmed();
    }}
  >
    <TextInput
      label={isRecovery ? t`Recovery code` : t`Code from your authenticator app`}
      name="code"
      size="md"
      autoComplete={isRecovery ? "off" : "one-time-code"}
      {...(!isRecovery && { inputMode: "numeric" as const })}
      required
      withAsterisk={false}
      data-autofocus
    />
  </SimpleForm>
);

const Password = ({ email }: { email: string }) => (
  <SimpleForm
    button={t`Confirm`}
    look={{ size: "md", fullWidth: true }}
    refused="password"
    onSubmit={async (read) => {
      await call(confirmWithPassword, { body: { password: read("password") } });
      confirmed();
    }}
  >
    {/* Password managers need the username. */}
    <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
    <PasswordInput
      label={t`Your password`}
      name="password"
      size="md"
      autoComplete="current-password"
      required
      withAsterisk={false}
      data-autofocus
    />
  </SimpleForm>
);

/** Users without a password or two-factor authentication here sign in again, and then repeat the action. */
const SignInWithProvider = () => {
  const { sso } = useSignInMethods();
  const redirect = `${location.pathname.slice(runtime.basePath.length)}${location.search}`;
  if (!sso) return <p>{t`Sign out and sign in again, then repeat the action.`}</p>;
  return <SingleSignOn name={sso} look={{}} redirect={redirect} onLeave={continueAfterReload} />;
};

type Method = "passkey" | "code" | "recovery code" | "password" | "sign-in";

const useMethods = (): Method[] => {
  const { hasPasskey, twoFactor, passkeyRequiredFrom, proof } = useMe();
  if (hasPasskey || twoFactor)
    return [
      ...(hasPasskey ? (["passkey"] as const) : []),
      ...(twoFactor ? (["code", "recovery code"] as const) : []),
      ...(passkeyRequiredFrom && proof === "password" ? (["password"] as const) : []),
    ];
  return [proof === "password" ? "password" : "sign-in"];
};

const Chosen = ({ method }: { method: Method | undefined }) => {
  const { email, twoFactor } = useMe();
  switch (method) {
    case "passkey":
      return (
        <Passkey
          otherwise={
            twoFactor
              ? t`That didn't work. Try again or use a code.`
              : t`That didn't work. Try again.`
          }
        />
      );
    case "code":
    case "recovery code":
      return <Code isRecovery={method === "recovery code"} />;
    case "password":
      return <Password email={email} />;
    default:
      return <SignInWithProvider />;
  }
};

/** The action that continues after the confirmation. */
const NextAction = ({ call: refused }: { call: RefusedCall }) => {
  const action = confirmedAction(refused);
  return (
    <div className="next-action">
      <Icon name="player-play" size={18} />
      <div>
        {action && <b>{action}</b>}
        <p className="soft">{t`Runs automatically after you confirm.`}</p>
      </div>
    </div>
  );
};

/** Shown over the page when an action requires a recent proof. The action continues afterwards. */
export const ConfirmIdentity = ({ call: refused }: { call: RefusedCall }) => {
  const methods = useMethods();
  const [method, setMethod] = useState(methods[0]);
  const labels: Partial<Record<Method, string>> = {
    passkey: t`Use passkey`,
    code: t`Use authenticator code`,
    "recovery code": t`Use recovery code`,
    password: t`Use password`,
  };
  const cancel = () => endConfirmation(false);
  return (
    <Dialog
      opened
      onClose={cancel}
      size={440}
      title={t`Confirm it's you`}
      fact={t`This action requires a recent confirmation. It is valid for ${proofMinutes} minutes.`}
      sign={{ icon: "shield-lock", tone: "info" }}
      foot={
        <>
          <span className="spacer" />
          <Button variant="default" onClick={cancel}>
            {t`Cancel`}
          </Button>
        </>
      }
    >
      <div className="sign-in">
        <NextAction call={refused} />
        <Chosen method={method} />
        <p className="sign-in-links">
          {methods
            .filter((one) => one !== method)
            .map((one) => (
              <button key={one} type="button" onClick={() => setMethod(one)}>
                {labels[one]}
              </button>
            ))}
        </p>
      </div>
    </Dialog>
  );
};
