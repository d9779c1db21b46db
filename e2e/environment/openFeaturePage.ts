import { once } from "node:events";
import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Where the published packages are installed, all in the same folder. */
const packages = new URL("..", import.meta.resolve("@openfeature/ofrep-web-provider/package.json"));
const sdk = new URL(import.meta.resolve("@openfeature/web-sdk"));

const imports = {
  "@openfeature/core": "/core/dist/esm/index.js",
  "@openfeature/web-sdk": sdk.pathname.replace(packages.pathname, "/"),
  "@openfeature/ofrep-core": "/ofrep-core/index.esm.js",
  "@openfeature/ofrep-web-provider": "/ofrep-web-provider/index.esm.js",
};

const html = `<!doctype html><title>Sold app</title><link rel="icon" href="data:,">
  <script type="importmap">${JSON.stringify({ imports })}</script>
  <script type="module">
    import { OpenFeature } from "@openfeature/web-sdk";
    import { OFREPWebProvider } from "@openfeature/ofrep-web-provider";
    window.openFeature = { OpenFeature, OFREPWebProvider };
  </script>`;

const isFile = new Set<string>(Object.values(imports));

/** A page of a sold app, with an origin of its own, that has the published packages of OpenFeature. */
export const startOpenFeaturePage = async () => {
  const server = createServer((request, response) => {
    const { url = "" } = request;
    if (!isFile.has(url)) return response.writeHead(200, { "content-type": "text/html" }).end(html);
    response.writeHead(200, { "content-type": "text/javascript" });
    return createReadStream(new URL(`.${url}`, packages)).pipe(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
