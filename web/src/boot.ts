import type { Runtime } from "@purser/contract/pages/runtime";
import { language, locale, readStorage } from "./lib/messages.ts";
import { mayReload } from "./lib/page/reloadGuard.ts";

// Inlined in the page: it must work when nothing else loads.
const slowMs = 20_000;
const { basePath = "", reloadGuardMs = 10_000 }: Partial<Runtime> = JSON.parse(
  document.getElementById("runtime-config")?.textContent ?? "{}",
);
const root = () => document.getElementById("root");
const isStarting = () => root()?.querySelector("[data-start]") != null;

const texts =
  language === "de"
    ? {
        failed: "Die Seite konnte nicht gestartet werden. Gespeicherte Daten sind sicher.",
        report: "Fehler-ID",
        again: "Erneut versuchen",
        home: "Startseite",
        slow: "Das dauert länger als üblich.",
      }
    : {
        failed: "The page couldn't be started. Your saved data is safe.",
        report: "Error ID",
        again: "Try again",
        home: "Home",
        slow: "This is taking longer than usual.",
      };

const themeOf = () => {
  const chosen = readStorage("mantine-color-scheme-value");
  if (chosen === "light" || chosen === "dark") return chosen;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
};

const element = (name: string, text: string) =>
  Object.assign(document.createElement(name), { textContent: text });

const link = (text: string, href: string) =>
  Object.assign(document.createElement("a"), { textContent: text, href });

/** The error page when the app can't start. */
const showFailure = (incident: string) => {
  // Fixed by the specification.
  document.title = "Internal Server Error";
  const frame = document.createElement("main");
  frame.className = "start-failure";
  const actions = document.createElement("p");
  actions.append(link(texts.again, ""), " · ", link(texts.home, `${basePath}/`));
  frame.append(
    element("p", "500"),
    element("h1", "Internal Server Error"),
    element("p", texts.failed),
    ...(incident ? [element("p", `${texts.report} ${incident}`)] : []),
    actions,
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

/** The files of each language. The development server has none: its page starts the source. */
const entries: Record<string, string[] | undefined> = JSON.parse(
  document.getElementById("entries")?.textContent ?? "{}",
);
const nonce = document.currentScript?.nonce ?? "";
for (const src of entries[locale] ?? entries["en"] ?? []) {
  const script = document.createElement("script");
  document.head.append(
    Object.assign(script, { type: "module", crossOrigin: "", async: false, nonce, src }),
  );
}

setTimeout(() => {
  if (!isStarting()) return;
  const note = element("p", `${texts.slow} `);
  note.append(link(texts.again, ""));
  root()?.append(note);
}, slowMs);

// Otherwise the first text requests its font, and the lines of a list wrap again when it arrives.
addEventListener("load", () => {
  document.fonts.load('1em "IBM Plex Sans Variable"').catch(() => undefined);
});
