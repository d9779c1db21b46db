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
import { call } from "../api/call.ts";
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
      ? new UserFacingError("This device already has a passkey of yours.")
      : new UserFacingError(otherwise);
  }
};

export const signInByPasskey = async () => {
  const { challenge, options } = await call(startPasskeySignIn);
  const response = await attempt(
    startAuthentication({ optionsJSON: requestOf(options) }),
    "No passkey was used. Try again, or use your password.",
  );
  const { me } = await call(signInWithPasskey, {
    body: { challenge, response: answerOf(response) },
  });
  return me;
};

type Added = { name: string; proof: { password?: string } };

export const createPasskey = async ({ name, proof }: Added) => {
  const { challenge, options } = await call(startPasskey, { body: proof });
  const response = await attempt(
    startRegistration({ optionsJSON: creationOf(options) }),
    "No passkey was made. Try again.",
  );
  return call(addPasskey, { body: { challenge, name, response: answerOf(response) } });
};
