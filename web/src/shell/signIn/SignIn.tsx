import { t } from "@lingui/core/macro";
import "./SignIn.css";
import { PasswordInput, TextInput } from "@mantine/core";
import { signIn } from "@purser/contract/auth/signIn";
import { type KeyboardEvent, useState } from "react";
import { CallError, call } from "#lib/api/call.ts";
import { RetryLaterError, UserFacingError } from "#lib/api/userFacingError.ts";
import type { Me } from "#lib/session/session.ts";
import { useSignInMethods } from "#lib/session/signInMethods.ts";
import { Icon } from "#ui/Icon.tsx";
import { focusFirst } from "#ui/page/focus.ts";
import { SimpleForm } from "#ui/page/SimpleForm.tsx";
import { SingleSignOn } from "./SingleSignOn.tsx";

type Props = {
  email: string;
  /** Only this user, whose session ended. */
  fixed?: boolean;
  /** A new attempt, whose result replaces earlier messages. */
  onAttempt?: () => void;
  onSignedIn: (me: Me) => void;
  onTwoFactor: (challenge: string) => void;
  onForgotten?: () => void;
  /** Show the password even if the workspace doesn't allow it: an operator's link set one. */
  withPassword?: boolean;
  /** The page to open if signing in leaves this one. */
  redirect?: string | undefined;
  onLeave?: () => void;
};

const inLabels = (error: unknown) => {
  if (!(error instanceof CallError)) return error;
  const { retryAfterSeconds } = error.problem;
  if (error.is("wrong_credentials")) return new UserFacingError(t`Incorrect email or password.`);
  if (error.is("too_many_requests") && retryAfterSeconds)
    return new RetryLaterError(retryAfterSeconds);
  return error;
};

const Password = ({ focus, isWrong }: { focus: boolean; isWrong: boolean }) => {
  const [capsLock, setCapsLock] = useState(false);
  const notice = (event: KeyboardEvent) => setCapsLock(event.getModifierState("CapsLock"));
  return (
    <PasswordInput
      label={t`Password`}
      name="password"
      autoComplete="current-password"
      required
      withAsterisk={false}
      onKeyUp={notice}
      ref={focus ? focusFirst : null}
      error={isWrong}
      // Dialogs manage the focus themselves.
      {...(focus && { "data-autofocus": true })}
      {...(capsLock && { description: t`Caps Lock is on.` })}
      visibilityToggleIcon={({ reveal }) => <Icon name={reveal ? "eye-off" : "eye"} size={17} />}
      visibilityToggleButtonProps={{ tabIndex: 0, "aria-label": t`Show password` }}
    />
  );
};

type FormProps = Pick<Props, "email" | "fixed" | "onAttempt" | "onSignedIn" | "onTwoFactor">;

const PasswordForm = (props: FormProps) => {
  const { email, fixed = false, onAttempt, onSignedIn, onTwoFactor } = props;
  const [isWrong, setWrong] = useState(false);
  return (
    <SimpleForm
      button={t`Sign in`}
      look={{ size: "md", fullWidth: true }}
      refused="password"
      onSubmit={async (read) => {
        const body = { email: read("email"), password: read("password") };
        setWrong(false);
        onAttempt?.();
        const answer = await call(signIn, { body, signedOut: "throw" }).catch((error) => {
          setWrong(error instanceof CallError && error.is("wrong_credentials"));
          throw inLabels(error);
        });
        if (answer.state === "signed in") onSignedIn(answer.me);
        else onTwoFactor(answer.challenge);
      }}
    >
      <TextInput
        label={t`Email`}
        name="email"
        type="email"
        size="md"
        autoComplete="username webauthn"
        required
        withAsterisk={false}
        defaultValue={email}
        readOnly={fixed}
        error={isWrong && !fixed}
        ref={email ? null : focusFirst}
      />
      <Password focus={email !== ""} isWrong={isWrong} />
    </SimpleForm>
  );
};

/** All sign-in methods that are turned on, the default one first. */
export const SignIn = (props: Props) => {
  const { onSignedIn, onForgotten, withPassword = false, redirect, onLeave } = props;
  const { passwords, sso } = useSignInMethods();
  const showsPassword = passwords || withPassword;
  return (
    <div className="sign-in">
      {showsPassword && (
        <div className="sign-in-fields">
          <PasswordForm {...props} />
          {onForgotten && passwords && (
            <button type="button" className="sign-in-forgot" onClick={onForgotten}>
              {t`Forgot password?`}
            </button>
          )}
        </div>
      )}
      {showsPassword && <div className="divider">{t`or`}</div>}
      {sso && (
        <SingleSignOn
          name={sso}
          look={showsPassword ? { variant: "default" } : {}}
          redirect={redirect}
          onLeave={onLeave}
        />
      )}
      {"PublicKeyCredential" in window && (
        <SimpleForm
          button={t`Use a passkey`}
          look={{
            size: "md",
            fullWidth: true,
            variant: "default",
            leftSection: <Icon name="fingerprint" size={18} />,
          }}
          onSubmit={async () => {
            const { signInByPasskey } = await import("#lib/session/passkeys.ts");
            onSignedIn(await signInByPasskey());
          }}
        />
      )}
    </div>
  );
};
