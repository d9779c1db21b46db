import type { Permission } from "@purser/contract/auth/permissions";
import { parseSearch } from "@purser/contract/http/url";
import { type Payload, payloadFile, readsOf } from "@purser/contract/pages/payload";
import { matchPage, type Route, routes } from "@purser/contract/pages/routes";
import { noticeBuild } from "../page/newRelease.ts";
import { pageAddress, runtime } from "../page/runtime.ts";

const waitMs = 1500;
const freshMs = 10_000;

type PayloadRequest = {
  at: number;
  /** URLs in the payload that haven't been read yet. */
  addresses: Set<string>;
  answer: Promise<Payload | null>;
};

const requests = new Map<string, PayloadRequest>();

/** Payloads may be outdated after a write or a remote change. */
export const forgetPayloads = () => requests.clear();

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
    // The screen then calls the API.
    return null;
  }
};

const forgetOld = () => {
  for (const [page, { at }] of requests) if (Date.now() - at > freshMs) requests.delete(page);
};

/** Requests the data of a page's first screen while its code loads, if the user can open the page. */
export const requestPayload = (path: string, search: string, may: readonly Permission[]) => {
  forgetOld();
  const page = `${path}${search}`;
  const match = matchPage(path);
  if (requests.has(page) || !match) return;
  const { permission }: Route = routes[match.path];
  if (permission && !may.includes(permission)) return;
  const addresses = new Set(readsOf(match, parseSearch(search)).map(({ address }) => address));
  requests.set(page, { at: Date.now(), addresses, answer: read(path, search) });
};

/** Takes the reply for a URL from a payload, once. Null means: call the API. */
export const takeFromPayload = async (address: string) => {
  if (requests.size === 0) return null;
  forgetOld();
  const one = [...requests.values()].find(({ addresses }) => addresses.has(address));
  if (!one) return null;
  one.addresses.delete(address);
  const late = new Promise<null>((resolve) => {
    setTimeout(() => resolve(null), one.at + waitMs - Date.now());
  });
  const payload = await Promise.race([one.answer, late]);
  return payload && address in payload.data ? { reply: payload.data[address] } : null;
};
