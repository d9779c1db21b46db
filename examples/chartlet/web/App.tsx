import { PurserProvider } from "@purser/client/react";
import { useCallback, useEffect, useState } from "react";
import { call, type Me, purser } from "./api.ts";
import { Editor } from "./Editor.tsx";
import { Plans } from "./Plans.tsx";
import { SignIn } from "./SignIn.tsx";

const titles = { "/": "Charts", "/plans": "Plans", "/sign-in": "Sign in" };
type Place = keyof typeof titles;

const placeOf = (path: string): Place => (Object.hasOwn(titles, path) ? (path as Place) : "/");

/** The place within the page, kept in the URL. */
const usePlace = () => {
  const [place, setPlace] = useState(() => placeOf(location.pathname));
  useEffect(() => {
    const follow = () => setPlace(placeOf(location.pathname));
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);
  useEffect(() => {
    document.title = `${titles[place]} · Chartlet`;
  }, [place]);
  const go = useCallback((next: Place) => {
    history.pushState(null, "", next);
    setPlace(next);
    scrollTo(0, 0);
  }, []);
  return { place, go };
};
export type Go = ReturnType<typeof usePlace>["go"];

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
