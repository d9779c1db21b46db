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

/** On the page of one's own account. */
export const addPasskey = async (page: Page, { password }: Person, name: string) => {
  const form = page.locator("form", { hasText: "Add passkey" });
  await form.getByLabel("Passkey name").fill(name);
  await form.getByLabel("Your password", { exact: true }).fill(password);
  await form.getByRole("button", { name: "Add passkey" }).click();
};
