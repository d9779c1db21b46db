import "#lib/jitless.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { outcomeOf } from "#lib/refusal.ts";
import { readSession } from "#lib/session.ts";
import { Office } from "./Office.tsx";

const place = document.getElementById("root");
if (!place) throw new Error("The page has no root.");
const root = createRoot(place);

const token = new URLSearchParams(location.hash.slice(1)).get("set-password");
// A link opened over this very page changes only the fragment, which loads nothing by itself.
addEventListener("hashchange", () => location.reload());

const { value: me, refusal } = await outcomeOf(readSession());
// Signed in, the login leads home; without a session, home leads to the login.
if (!refusal && !token) history.replaceState(null, "", me ? "/" : "/login");
root.render(
  <StrictMode>
    {refusal ? (
      <main>
        <h1>Purser</h1>
        <p role="alert">{refusal.message}</p>
        <p>
          <button type="button" onClick={() => location.reload()}>
            Try again
          </button>
        </p>
      </main>
    ) : (
      <Office first={me} token={token} />
    )}
  </StrictMode>,
);
