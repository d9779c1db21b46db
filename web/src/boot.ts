import type { Runtime } from "@purser/contract/pages/runtime";
import { mayReload } from "./lib/page/reloadGuard.ts";

// Inlined in the page: it must work when nothing else loads.
const slowMs = 20_000;
const { basePath = "", reloadGuardMs = 10_000 }: Partial<Runtime> = JSON.parse(
  document.getElementById("runtime-config")?.textContent ?? "{}",
);
const root = () => document.getElementById("root");
const isStarting = () => root()?.querySelector("[data-start]") != null;

const themeOf = () => {
  try {
    const chosen = localStorage.getItem("mantine-color-scheme-value");
    if (chosen === "light" || chosen === "dark") return chosen;
  } catch {
    // Storage is blocked.
  }
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
};

const element = (name: string, text: string) =>
  Object.assign(document.createElement(name), { textContent: text });

const link = (text: string, href: string) =>
  Object.assign(document.createElement("a"), { textContent: text, href });

/** The error page when the app can't start. */
const showFailure = (incident: string) => {
  document.title = "Internal Server Error";
  const frame = document.createElement("main");
  frame.className = "start-failure";
  const acts = document.createElement("p");
  acts.append(link("Try again", ""), " · ", link("Home", `${basePath}/`));
  frame.append(
    element("p", "500"),
    element("h1", "Internal Server Error"),
    element("p", "The page could not be started. What you saved is safe."),
    ...(incident ? [element("p", `Report number ${incident}`)] : []),
    acts,
  );
  root()?.replaceChildren(frame);
};

const failToStart = () => {
  if (!isStarting()) return;
  if (mayReload(location.pathname, reloadGuardMs)) location.reload();
  else showFailure("");
};

document.documentElement.dataset["mantineColorScheme"] = themeOf();

// Load errors don't bubble, so listen in the capture phase.
addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLScriptElement || target instanceof HTMLLinkElement) failToStart();
  },
  true,
);

addEventListener("purser:failed", (event) => showFailure((event as CustomEvent<string>).detail));

setTimeout(() => {
  if (!isStarting()) return;
  const note = element("p", "This takes longer than it should. ");
  note.append(link("Try again", ""));
  root()?.append(note);
}, slowMs);
