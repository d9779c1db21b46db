import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, expect, test } from "vitest";
import { post } from "./post.ts";
import { locate, type Reach, type Resolve, Unreachable } from "./targets.ts";

let connections = 0;
const listener = createServer((socket) => {
  connections += 1;
  socket.destroy();
}).listen({ port: 0, host: "::", ipv6Only: false });
await once(listener, "listening");
const { port } = listener.address() as AddressInfo;
afterAll(() => void listener.close());

const publicAddress = "93.184.216.34";
const names: Record<string, string[]> = {
  localhost: ["127.0.0.1"],
  "localhost.": ["127.0.0.1"],
  "sub.localhost": ["::1"],
  "inside.example.com": ["127.0.0.1"],
  "inside6.example.com": ["::1"],
  "mapped.example.com": ["::ffff:127.0.0.1"],
  "one-of-two.example.com": [publicAddress, "127.0.0.1"],
  "metadata.example.com": ["169.254.169.254"],
  "nat64.example.com": ["64:ff9b::7f00:1"],
  "zone.example.com": ["fe80::1%lo"],
  "nothing.example.com": [],
  "odd.example.com": ["not an address"],
};
const byName: Resolve = async (host) => names[host] ?? [];

const reach = (more: Partial<Reach> = {}): Reach => ({
  // One that is nowhere here, so that plain http is refused for where it leads and not for itself.
  networks: ["10.99.0.0/16"],
  ports: [443, 8443, port],
  resolve: byName,
  ...more,
});

const hosts = [
  ...Object.keys(names),
  // Literals as they are, and in every other way to write them.
  "127.0.0.1",
  "127.0.0.1.",
  "127.1",
  "127.0.1",
  "127.255.255.254",
  "2130706433",
  "0x7f000001",
  "0x7f.1",
  "0x7f.0x0.0x0.0x1",
  "0177.0.0.1",
  "017700000001",
  "0177.0x0.1",
  "%31%32%37.0.0.1",
  "１２７.0.0.1",
  "127。0。0。1",
  "①②⑦.0.0.1",
  "0",
  "0.0.0.0",
  "0x0",
  "10.0.0.1",
  "172.16.0.1",
  "192.168.0.1",
  "100.64.0.1",
  "169.254.169.254",
  "192.0.0.1",
  "192.0.2.1",
  "198.18.0.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "[::]",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[::127.0.0.1]",
  "[::7f00:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[0:0:0:0:0:ffff:7f00:1]",
  "[::ffff:10.0.0.1]",
  "[::ffff:0:127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
  "[64:ff9b::7f00:1]",
  "[64:ff9b::a9fe:a9fe]",
  "[64:ff9b:1::7f00:1]",
  "[2002:7f00:1::]",
  "[2002:7f00:1::1]",
  "[2002:a9fe:a9fe::]",
  "[2002:a00:1::]",
  "[2001:0:7f00:1::]",
  "[2001:db8::1]",
  "[fe80::1]",
  "[fec0::1]",
  "[fc00::1]",
  "[fd00::1]",
  "[ff02::1]",
  "[100::1]",
  "[4000::1]",
];
const urls = hosts.flatMap((host) => [`https://${host}:${port}/x`, `http://${host}:${port}/x`]);

const shaped = [
  `https://user:secret@127.0.0.1:${port}/`,
  `https://example.com:${port}@127.0.0.1:${port}/`,
  `https://127.0.0.1:${port}\\@example.com/`,
  `https://127.0.0.1:${port}#@example.com`,
  `//127.0.0.1:${port}/`,
  `ftp://127.0.0.1:${port}/`,
  `file:///etc/passwd`,
  `gopher://127.0.0.1:${port}/_x`,
  `ws://127.0.0.1:${port}/`,
  "https://",
  "",
  "nonsense",
];

const tryTo = async (url: string, given: Reach) => {
  const signal = AbortSignal.timeout(300);
  const target = await locate(url, given);
  await post(target, { headers: {}, body: "{}", signal }).catch(() => undefined);
};

test(`T12 none of ${urls.length + shaped.length} private addresses is connected to`, async () => {
  expect(urls.length + shaped.length).toBeGreaterThanOrEqual(60);
  for (const url of [...urls, ...shaped])
    await expect(tryTo(url, reach()), url).rejects.toThrow(Unreachable);
  for (const url of urls.filter((one) => one.startsWith("http:")))
    await expect(tryTo(url, reach({ networks: [] })), url).rejects.toThrow("must start with https");
  expect(connections).toBe(0);
});

test("T12 connects to the first address of a host that resolves differently later", async () => {
  let asked = 0;
  const rebinding: Resolve = async () => {
    asked += 1;
    return asked === 1 ? [publicAddress] : ["127.0.0.1"];
  };
  const target = await locate(
    `https://rebinding.example.com:${port}/`,
    reach({ resolve: rebinding }),
  );
  expect(target.addresses).toEqual([{ address: publicAddress, family: 4 }]);
  const signal = AbortSignal.timeout(300);
  await post(target, { headers: {}, body: "{}", signal }).catch(() => undefined);
  expect(asked).toBe(1);
  expect(connections).toBe(0);
});

test("T12 does not follow a redirect to a private address", async () => {
  const redirecting = createHttpServer((_request, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end("Over there."),
  ).listen(0, "127.0.0.2");
  await once(redirecting, "listening");
  const own = (redirecting.address() as AddressInfo).port;
  const allowed = reach({ networks: ["127.0.0.2/32"], ports: [own] });
  const target = await locate(`http://127.0.0.2:${own}/`, allowed);
  const signal = AbortSignal.timeout(3000);
  const answer = await post(target, { headers: {}, body: "{}", signal });
  redirecting.close();
  expect(answer).toEqual({ status: 302, text: "Over there." });
  expect(connections).toBe(0);
});

test("reaches allowed hosts by any name, and ports only if allowed", async () => {
  const allowed = reach({ networks: ["127.0.0.0/8"] });
  for (const host of ["127.1", "inside.example.com", "[::ffff:127.0.0.1]"]) {
    const before = connections;
    await tryTo(`http://${host}:${port}/`, allowed);
    expect(connections, host).toBe(before + 1);
  }
  await expect(locate("https://127.0.0.1:6379/", allowed)).rejects.toThrow(
    "port that isn't allowed",
  );
  await expect(locate("https://[::1]/", allowed)).rejects.toThrow("private network");
});

test("reads only the start of an endless response", async () => {
  const endless = createHttpServer((_request, response) => {
    response.writeHead(200);
    const write = () => {
      while (response.writable && response.write("x".repeat(16_384)));
      response.once("drain", write);
    };
    write();
  }).listen(0, "127.0.0.1");
  await once(endless, "listening");
  const own = (endless.address() as AddressInfo).port;
  const allowed = reach({ networks: ["127.0.0.1/32"], ports: [own] });
  const target = await locate(`http://127.0.0.1:${own}/`, allowed);
  const answer = await post(target, { headers: {}, body: "{}", signal: AbortSignal.timeout(3000) });
  endless.closeAllConnections();
  endless.close();
  expect(answer).toEqual({ status: 200, text: "x".repeat(2000) });
});
