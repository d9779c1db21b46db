import { parseSearch } from "@purser/contract/http/url";
import { type Payload, payloadFile, readsOf } from "@purser/contract/pages/payload";
import { matchPage } from "@purser/contract/pages/routes";
import { noticeBuild } from "../page/newRelease.ts";
import { pageAddress, runtime } from "../page/runtime.ts";

const waitMs = 1500;
const freshMs = 10_000;

type Asked = {
  at: number;
  /** What it will hold, as far as nobody took it. */
  addresses: Set<string>;
  answer: Promise<Payload | null>;
};

const asked = new Map<string, Asked>();

/** What was read may have changed since. */
export const forgetPayloads = () => asked.clear();

const read = async (path: string, search: string): Promise<Payload | null> => {
  try {
    const query = [runtime.build.id, search.slice(1)].filter(Boolean).join("&");
    const file = `${path === "/" ? "" : path}/${payloadFile}?${query}`;
    const response = await fetch(pageAddress(file), {
      headers: { accept: "application/json", "x-client-build": runtime.build.id },
      signal: AbortSignal.timeout(waitMs * 2),
    });
    noticeBuild(response.headers.get("x-build-id"));
    return response.ok ? await response.json() : null;
  } catch {
    // The screen then asks the API itself.
    return null;
  }
};

const forgetOld = () => {
  for (const [page, { at }] of asked) if (Date.now() - at > freshMs) asked.delete(page);
};

/** Asks for what a page's first screen shows, while its code is loaded. */
export const askPayload = (path: string, search: string) => {
  forgetOld();
  const page = `${path}${search}`;
  const match = matchPage(path);
  if (asked.has(page) || !match) return;
  const addresses = new Set(readsOf(match, parseSearch(search)).map(({ address }) => address));
  asked.set(page, { at: Date.now(), addresses, answer: read(path, search) });
};

/** What a payload holds of this address, once; null is to be asked for at the API. */
export const takeFromPayload = async (address: string) => {
  if (asked.size === 0) return null;
  forgetOld();
  const one = [...asked.values()].find(({ addresses }) => addresses.has(address));
  if (!one) return null;
  one.addresses.delete(address);
  const late = new Promise<null>((resolve) => {
    setTimeout(() => resolve(null), one.at + waitMs - Date.now());
  });
  const payload = await Promise.race([one.answer, late]);
  return payload && address in payload.data ? { reply: payload.data[address] } : null;
};
