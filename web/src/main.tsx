import "#ui/styles/styles.ts";
import "#ui/styles/parts.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { client } from "#lib/api/queryClient.ts";
import { forgetFailures } from "#lib/icons/iconStore.ts";
import { incidentOf, watchForIncidents } from "#lib/page/incidents.ts";
import { openOfficeIfSignedIn } from "#shell/auth.ts";
import { Toasts } from "#ui/popups/Toasts.tsx";
import { startTooltips } from "#ui/popups/tooltip.ts";
import { cssVariablesResolver, theme } from "#ui/styles/theme.ts";
import { router } from "./routes.tsx";

const place = document.getElementById("root");
if (!place) throw new Error("The page has no root.");

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
// For the style with which an open dialog stops the page behind it from scrolling.
setNonce(nonce);

// A link from a mail opened over this very page changes only the fragment, which loads nothing by itself.
addEventListener("hashchange", () => {
  if (location.hash.startsWith("#set-password=")) location.reload();
});

/** The page's own script shows what can still be shown. */
const fail = (error: unknown) =>
  dispatchEvent(new CustomEvent("purser:failed", { detail: incidentOf(error).id }));

const start = async () => {
  startTooltips();
  router.subscribe("onResolved", ({ pathChanged }) => pathChanged && forgetFailures());
  await router.load();
  if (router.state.matches.length === 1) await openOfficeIfSignedIn();
  watchForIncidents();
  createRoot(place, { onUncaughtError: fail }).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariablesResolver}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
          <Toasts />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
};

start().catch(fail);
