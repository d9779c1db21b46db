import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, request as send } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { buildClient } from "../../client/build.ts";

/** Of the web app, because the browser tests have no components. */
const load = createRequire(new URL("../../web/package.json", import.meta.url));

/** What the page loads besides the SDK. It is published as CommonJS, so its names are listed for the browser. */
const modules = ["react", "react/jsx-runtime", "react-dom/client"];

const fileOf = (name: string) => `${name.replace("/", "-")}.js`;

const entryOf = (name: string) => {
  const names = Object.keys(load(name) as object).filter((one) => /^[a-z]\w*$/i.test(one));
  return `import own from "${load.resolve(name)}";
export const { ${names.join(", ")} } = own;
`;
};

const buildReact = async (folder: string) => {
  const entries = join(folder, "entries");
  mkdirSync(entries);
  for (const name of modules) writeFileSync(join(entries, fileOf(name)), entryOf(name));
  await build({
    configFile: false,
    logLevel: "error",
    root: entries,
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      outDir: join(folder, "react"),
      lib: {
        entry: Object.fromEntries(
          modules.map((name) => [fileOf(name).replace(".js", ""), join(entries, fileOf(name))]),
        ),
        formats: ["es"],
        // Without a package.json nearby, it would be .mjs.
        fileName: (_format, name) => `${name}.js`,
      },
    },
  });
};

const buildAll = async () => {
  const folder = mkdtempSync(join(tmpdir(), "purser-sold-app-"));
  process.once("exit", () => rmSync(folder, { recursive: true }));
  await buildClient(join(folder, "client"));
  await buildReact(folder);
  return folder;
};

/** Once for all tests of a process. */
let built: ReturnType<typeof buildAll> | undefined;

const parts = ["browser", "leases", "react", "snapshots"];
const imports = {
  "@purser/client": "/client/index.js",
  ...Object.fromEntries(parts.map((name) => [`@purser/client/${name}`, `/client/${name}.js`])),
  ...Object.fromEntries(modules.map((name) => [name, `/react/${fileOf(name)}`])),
};

const html = `<!doctype html><title>Sold app</title><link rel="icon" href="data:,"><main></main>
  <script type="importmap">${JSON.stringify({ imports })}</script>
  <script type="module">
    import { createClient } from "@purser/client";
    import { webStorage } from "@purser/client/browser";
    import { attachSnapshots } from "@purser/client/snapshots";
    import { Feature, PurserProvider, useUsage } from "@purser/client/react";
    import { createElement } from "react";
    import { createRoot } from "react-dom/client";
    const Exports = () => {
      const { isLoading, used, limit } = useUsage("exports");
      return createElement("p", null, isLoading ? "Loading" : used + " of " + limit + " exports");
    };
    const show = (client, user) =>
      createRoot(document.querySelector("main")).render(
        createElement(
          PurserProvider,
          { client, user },
          createElement(Exports),
          createElement(Feature, { code: "maps", fallback: "No maps" }, "Maps"),
        ),
      );
    window.sdk = { createClient, webStorage, attachSnapshots, show };
  </script>`;

/** What happens to requests to Purser: nothing, no connection, no answer, or the loss of every fourth reply. */
type Network = "up" | "down" | "slow" | "lossy";

/** Passes requests on to Purser with the key of the app, over a network that a test can interrupt. */
const openNetwork = (purser: string, firstKey: string) => {
  let network: Network = "up";
  let key = firstKey;
  let requests = 0;
  const pass: RequestListener = (incoming, outgoing) => {
    requests += 1;
    if (network === "down") return incoming.socket.destroy();
    if (network === "slow") return;
    const isLost = network === "lossy" && requests % 4 === 1;
    const { url = "", method, headers } = incoming;
    const { origin: _, referer: __, host: ___, ...passed } = headers;
    const sent = send(
      new URL(url, purser),
      { method, headers: { ...passed, authorization: `Bearer ${key}` } },
      (received) => {
        if (isLost) return received.resume().on("end", () => incoming.socket.destroy());
        outgoing.writeHead(received.statusCode ?? 502, received.headers);
        received.pipe(outgoing);
      },
    );
    sent.on("error", () => incoming.socket.destroy());
    outgoing.on("close", () => sent.destroy());
    incoming.pipe(sent);
  };
  return {
    pass,
    requests: () => requests,
    set: (next: Network) => {
      network = next;
    },
    useKey: (next: string) => {
      key = next;
    },
  };
};

/**
 * A sold app: a page with the built package and React, and a server that passes requests on to Purser, and can interrupt
 * that while the page itself still loads.
 */
export const startSoldAppPage = async (purser: string, key: string) => {
  built ??= buildAll();
  const folder = await built;
  const network = openNetwork(purser, key);
  const server = createServer((incoming, outgoing) => {
    const { url = "" } = incoming;
    if (/^\/(client|react)\//.test(url)) {
      outgoing.writeHead(200, { "content-type": "text/javascript" });
      return outgoing.end(readFileSync(join(folder, url)));
    }
    if (!/^\/(api|\.well-known)\//.test(url))
      return outgoing.writeHead(200, { "content-type": "text/html" }).end(html);
    return network.pass(incoming, outgoing);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** The number of requests to Purser. */
    requests: network.requests,
    /** The key that the app uses from now on. */
    useKey: network.useKey,
    /** Without a network, requests and streams that are open end, too. */
    setNetwork: (next: Network) => {
      network.set(next);
      if (next === "down") server.closeAllConnections();
    },
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
export type SoldAppPage = Awaited<ReturnType<typeof startSoldAppPage>>;
