import "#ui/styles/styles.ts";
import "#ui/styles/parts.css";
import "#ui/styles/plainTable.css";
import "#ui/styles/checkbox.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "#lib/api/queryClient.ts";
import { resetFailedIcons } from "#lib/icons/iconStore.ts";
import { incidentOf, watchForIncidents } from "#lib/page/incidents.ts";
import { loadWorkspaceIfSignedIn } from "#shell/auth.ts";
import { Toasts } from "#ui/popups/Toasts.tsx";
import { startTooltips } from "#ui/popups/tooltip.ts";
import { cssVariablesResolver, theme } from "#ui/styles/theme.ts";
import { router } from "./routes.tsx";

const place = document.getElementById("root");
if (!place) throw new Error("The page has no root.");

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
// For the style that stops the page behind an open dialog from scrolling.
setNonce(nonce);

// Opening an email link on this page changes only the fragment, which loads nothing.
addEventListener("hashchange", () => {
  if (location.hash.startsWith("#set-password=")) location.reload();
});

/** boot.ts shows the error page. */
const fail = (error: unknown) =>
  dispatchEvent(new CustomEvent("purser:failed", { detail: incidentOf(error).id }));

const start = async () => {
  startTooltips();
  router.subscribe("onResolved", ({ pathChanged }) => pathChanged && resetFailedIcons());
  await router.load();
  if (router.state.matches.length === 1) await loadWorkspaceIfSignedIn();
  watchForIncidents();
  createRoot(place, { onUncaughtError: fail }).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariablesResolver}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <Toasts />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
};

start().catch(fail);
