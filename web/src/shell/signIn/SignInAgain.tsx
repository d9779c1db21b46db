import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { useState } from "react";
import { continueAfterReload } from "#lib/drafts/drafts.ts";
import { pageAddress, runtime } from "#lib/page/runtime.ts";
import { type Me, setSession, useMe } from "#lib/session/session.ts";
import { Dialog } from "#ui/dialogs/Dialog.tsx";
import { CodeForm } from "./CodeForm.tsx";
import { SignIn } from "./SignIn.tsx";
import { announceSession } from "./sessionChannel.ts";
import { resumeSession } from "./sessionEnd.ts";

/** The current path without the base path, with its query. */
const pathHere = () => `${location.pathname.slice(runtime.basePath.length)}${location.search}`;

/** Shown over the page: unsaved changes stay, and pending requests continue after signing in. */
export const SignInAgain = () => {
  const { id, email, proof } = useMe();
  const [challenge, setChallenge] = useState<string | null>(null);

  const goOn = (me: Me) => {
    // A different user must not see this page.
    if (me.id !== id) return location.assign(pageAddress("/"));
    setSession(me);
    announceSession();
    resumeSession();
  };

  return (
    <Dialog
      opened
      onClose={() => undefined}
      binding
      size={420}
      title={t`Sign in again to continue`}
      fact={t`Your session has ended. Your unsaved changes are still here.`}
      foot={
        <Button variant="subtle" onClick={() => location.assign(pageAddress("/login"))}>
          {t`Leave this page`}
        </Button>
      }
    >
      {challenge ? (
        <CodeForm challenge={challenge} onSignedIn={goOn} />
      ) : (
        <SignIn
          email={email}
          fixed
          onSignedIn={goOn}
          onTwoFactor={setChallenge}
          withPassword={proof === "password"}
          redirect={pathHere()}
          onLeave={continueAfterReload}
        />
      )}
    </Dialog>
  );
};
