import { useState } from "react";
import type { Me } from "#lib/session.ts";
import { Home } from "./screens/home/Home.tsx";
import { Login } from "./screens/login/Login.tsx";

type Props = {
  /** Who was signed in when the page opened. */
  first: Me | null;
  /** Of the link that opened the page: it comes before whoever is signed in. */
  token: string | null;
};

export const Office = ({ first, token }: Props) => {
  const [shown, setShown] = useState({ me: token ? null : first, token });

  const show = (address: string, me: Me | null) => {
    history.replaceState(null, "", address);
    setShown({ me, token: null });
  };

  return shown.me ? (
    <Home me={shown.me} onSignedOut={() => show("/login", null)} />
  ) : (
    <Login token={shown.token} onSignedIn={(me) => show("/", me)} />
  );
};
