import { PurserProvider } from "@purser/client/react";
import { useCallback, useEffect, useState } from "react";
import { call, type Me, purser } from "./api.ts";
import { Editor } from "./Editor.tsx";
import { Plans } from "./Plans.tsx";
import { type Go, type Place, usePlace } from "./place.ts";
import { SignIn } from "./SignIn.tsx";

const Head = ({ me, place, go }: { me: Me | null; place: Place; go: Go }) => {
  const signOut = async () => {
    await call("POST", "/sign-out");
    location.assign("/");
  };
  const link = (to: Place, text: string) => (
    <a
      href={to}
      aria-current={place === to ? "page" : undefined}
      onClick={(event) => {
        event.preventDefault();
        go(to);
      }}
    >
      {text}
    </a>
  );
  return (
    <header>
      <span className="name">Chartlet</span>
      <nav aria-label="Main">
        {link("/", "Charts")}
        {link("/plans", "Plans")}
        {!me && link("/sign-in", "Sign in")}
        {me && (
          <button type="button" className="plain" onClick={signOut}>
            Sign out
          </button>
        )}
      </nav>
    </header>
  );
};

export const App = () => {
  const { place, go } = usePlace();
  const [me, setMe] = useState<Me | null>();
  const loadMe = useCallback(async () => setMe(await call<Me | null>("GET", "/me")), []);
  useEffect(() => void loadMe().catch(() => setMe(null)), [loadMe]);
  if (me === undefined) return <p role="status">Loading</p>;
  const enter = async () => {
    await loadMe();
    go("/");
  };
  const shown = (
    <>
      <Head me={me} place={place} go={go} />
      <main>
        {place === "/plans" && <Plans me={me} go={go} />}
        {place === "/sign-in" && <SignIn onDone={enter} />}
        {place === "/" && <Editor me={me} go={go} />}
      </main>
    </>
  );
  return me ? (
    <PurserProvider client={purser} user={me.id}>
      {shown}
    </PurserProvider>
  ) : (
    shown
  );
};
