import type { Page } from "@playwright/test";
import type { Person } from "../data/team.ts";

/** Chromium's virtual authenticator. It responds immediately, and the test decides whether the user is verified. */
export const addVirtualAuthenticator = async (page: Page, { canVerify = true } = {}) => {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: canVerify,
      isUserVerified: canVerify,
      automaticPresenceSimulation: true,
    },
  });
  return {
    verifyUser: (isUserVerified: boolean) =>
      session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
  };
};

/** Sessions that tests start count as confirmed. Those of the login form are asked for the password. */
const confirmIfAsked = async (page: Page, { password }: Person) => {
  const dialog = page.getByRole("dialog", { name: "Confirm it's you" });
  const isAsked = await dialog
    .or(page.getByRole("list", { name: "Your passkeys" }).getByRole("listitem"))
    .or(page.getByRole("alert"))
    .first()
    .waitFor()
    .then(() => dialog.isVisible());
  if (!isAsked) return;
  await dialog.getByLabel("Your password", { exact: true }).fill(password);
  await dialog.getByRole("button", { name: "Confirm", exact: true }).click();
};

/** On the page of one's own account. */
export const addPasskey = async (page: Page, person: Person, name: string) => {
  const form = page.locator("form", { hasText: "Add passkey" });
  await form.getByLabel("Passkey name").fill(name);
  await form.getByRole("button", { name: "Add passkey" }).click();
  await confirmIfAsked(page, person);
};
