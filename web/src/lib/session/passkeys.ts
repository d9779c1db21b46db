import { t } from "@lingui/core/macro";
import { confirmWithPasskey, startPasskeyConfirmation } from "@purser/contract/auth/confirmation";
import { addPasskey, startPasskey } from "@purser/contract/auth/passkeys";
import { signInWithPasskey, startPasskeySignIn } from "@purser/contract/auth/signIn";
import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";
import { CallError, call } from "../api/call.ts";
import { UserFacingError } from "../api/userFacingError.ts";

// The contract doesn't type the WebAuthn documents: server and browser each validate them.
type Ceremony = Record<string, unknown>;
const requestOf = (options: Ceremony) =>
  options as unknown as PublicKeyCredentialRequestOptionsJSON;
const creationOf = (options: Ceremony) =>
  options as unknown as PublicKeyCredentialCreationOptionsJSON;

const answerOf = (given: AuthenticationResponseJSON | RegistrationResponseJSON) => ({
  ...given,
  clientExtensionResults: { ...given.clientExtensionResults },
  response: { ...given.response },
});

/** WebAuthn fails alike when the user cancels, times out or has no passkey. */
const attempt = async <T>(ceremony: Promise<T>, otherwise: string) => {
  try {
    return await ceremony;
  } catch (error) {
    throw error instanceof Error && error.name === "InvalidStateError"
      ? new UserFacingError(t`You already have a passkey on this device.`)
      : new UserFacingError(otherwise);
  }
};

export const signInByPasskey = async () => {
  const { challenge, options } = await call(startPasskeySignIn);
  const response = await attempt(
    startAuthentication({ optionsJSON: requestOf(options) }),
    t`Passkey sign-in wasn't completed. Try again or use your password.`,
  );
  const { me } = await call(signInWithPasskey, {
    body: { challenge, response: answerOf(response) },
  });
  return me;
};

/** Confirms the identity of the signed-in user. */
export const confirmByPasskey = async (otherwise: string) => {
  const { challenge, options } = await call(startPasskeyConfirmation);
  const response = await attempt(
    startAuthentication({ optionsJSON: requestOf(options) }),
    otherwise,
  );
  try {
    await call(confirmWithPasskey, { body: { challenge, response: answerOf(response) } });
  } catch (error) {
    const isRefused = error instanceof CallError && error.is("passkey_refused");
    throw isRefused ? new UserFacingError(otherwise) : error;
  }
};

export const createPasskey = async (name: string) => {
  const { challenge, options } = await call(startPasskey);
  const response = await attempt(
    startRegistration({ optionsJSON: creationOf(options) }),
    t`No passkey was created. Try again.`,
  );
  return call(addPasskey, { body: { challenge, name, response: answerOf(response) } });
};
