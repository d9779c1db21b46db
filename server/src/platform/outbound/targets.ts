import { lookup } from "node:dns/promises";
import type { Message } from "@purser/contract/messages/message";
import ipaddr from "ipaddr.js";
import type { Config } from "../../config.ts";
import { message } from "../messages.ts";

/** Resolves a host to all its addresses. */
export type Resolve = (host: string) => Promise<string[]>;

/** What may be reached in addition to the public internet, and how hosts are resolved. */
export type Reach = {
  networks: readonly string[];
  ports: readonly number[];
  resolve: Resolve;
};

/** Where to connect. The addresses were checked, so the host must not be resolved again. */
export type Target = { url: URL; addresses: { address: string; family: 4 | 6 }[] };

/** Why a URL is refused. */
export class Unreachable extends Error {
  /** Whether another attempt may succeed. */
  readonly passes: boolean;

  readonly detail: Message;

  constructor(detail: Message, passes = false) {
    super(detail.text);
    this.detail = detail;
    this.passes = passes;
  }
}

const resolveHost: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/** From the configuration. */
export const reachOf = (config: Config): Reach => ({
  networks: config.WEBHOOK_ALLOWED_NETWORKS,
  ports: config.WEBHOOK_ALLOWED_PORTS,
  resolve: resolveHost,
});

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const within = (address: Address, network: string) => {
  const [base, bits] = ipaddr.parseCIDR(network);
  return base.kind() === address.kind() && address.match([base, bits] as never);
};

/** An IPv4 address that is embedded in an IPv6 address is checked itself. */
const unwrapped = (address: Address): Address => {
  if (address.kind() === "ipv4") return address;
  const bytes = address.toByteArray();
  if ((address as ipaddr.IPv6).isIPv4MappedAddress() || within(address, "64:ff9b::/96"))
    return new ipaddr.IPv4(bytes.slice(12));
  if (within(address, "2002::/16")) return new ipaddr.IPv4(bytes.slice(2, 6));
  return address;
};

// The library treats most of ::/8 as public, but only 2000::/3 is.
const isPublic = (address: Address) =>
  address.range() === "unicast" && (address.kind() === "ipv4" || within(address, "2000::/3"));

type Standing = "public" | "allowed" | "refused";

const standingOf = (source: string, networks: readonly string[]): Standing => {
  // A zone at the end names a local network interface.
  if (source.includes("%") || !ipaddr.isValid(source)) return "refused";
  const address = unwrapped(ipaddr.parse(source));
  if (networks.some((network) => within(address, network))) return "allowed";
  return isPublic(address) ? "public" : "refused";
};

const defaultPorts: Record<string, number> = { "http:": 80, "https:": 443 };

const parseUrl = (source: string, { ports, networks }: Reach) => {
  const url = URL.parse(source);
  const usual = url && defaultPorts[url.protocol];
  if (!url || !usual || url.hostname === "")
    throw new Unreachable(
      message("url_invalid", "Enter a URL, such as https://example.com/webhooks."),
    );
  if (url.username || url.password)
    throw new Unreachable(
      message("url_credentials", "The URL can't contain a username or password."),
    );
  if (url.protocol === "http:" && networks.length === 0)
    throw new Unreachable(message("url_insecure", "The URL must start with https://."));
  const port = url.port === "" ? usual : Number(url.port);
  if (!ports.includes(port))
    throw new Unreachable(
      message(
        "url_port",
        "The URL uses a port that isn't allowed. Use {ports, plural, one {port} other {one of the ports}} {list}.",
        {
          ports: ports.length,
          list: ports.join(", "),
        },
      ),
    );
  return url;
};

const addressesOf = async (url: URL, resolve: Resolve) => {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // A literal address isn't resolved when connecting, so it must be checked here.
  if (ipaddr.isValid(host)) return [host];
  const found = await resolve(host).catch(() => []);
  if (found.length === 0)
    throw new Unreachable(
      message("url_host_unknown", "The host of this URL can't be found."),
      true,
    );
  return found;
};

/** The target of a URL. All addresses of its host must be allowed. */
export const locate = async (source: string, reach: Reach): Promise<Target> => {
  const url = parseUrl(source, reach);
  const addresses = await addressesOf(url, reach.resolve);
  const standings = addresses.map((address) => standingOf(address, reach.networks));
  if (standings.includes("refused"))
    throw new Unreachable(
      message(
        "url_private",
        "This URL is in a private network. Webhooks can only be sent to public addresses.",
      ),
    );
  if (url.protocol === "http:" && standings.includes("public"))
    throw new Unreachable(message("url_insecure", "The URL must start with https://."));
  return {
    url,
    addresses: addresses.map((address) => ({
      address,
      family: ipaddr.parse(address).kind() === "ipv4" ? 4 : 6,
    })),
  };
};
