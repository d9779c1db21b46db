import { createListeners } from "../listeners.ts";
import { runtime } from "../page/runtime.ts";
import { type IconData, type IconReply, readIcon } from "./iconData.ts";
import { fullName, type IconRequest, parseIcon, requestsFor } from "./iconRequests.ts";

/** An icon service, and the icons it is known not to have. */
const serviceAt = (endpoint: string, timeoutMs: number) => ({
  endpoint,
  timeoutMs,
  lacks: new Set<string>(),
});
type Service = ReturnType<typeof serviceAt>;

const { provider, localEndpoint, publicEndpoint, fallback } = runtime.icons;
const local = serviceAt(localEndpoint, 1500);
const open = serviceAt(publicEndpoint, 5000);

/** In order of preference. */
const services = { server: fallback ? [local, open] : [local], iconify: [open], none: [] }[
  provider
];

/** "failed" is retried on the next page, "missing" never. */
type State = IconData | "pending" | "failed" | "missing";

const states = new Map<string, State>();
let wanted: { collection: string; name: string }[] = [];

const { subscribe, notify } = createListeners();
export const onIconsChanged = subscribe;

/** Undefined means not requested yet, or to be requested again. */
export const iconState = (name: string) => states.get(fullName(name));

/**
 * The icon for each name, or null for unknown names. Null instead of a list means no usable answer
 * in time.
 */
const fetchIcons = async (collection: string, request: IconRequest, timeoutMs: number) => {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  try {
    const response = await fetch(request.address, { signal: late.signal });
    // 404 means an unknown collection, which is an answer without icons.
    if (!response.ok && response.status !== 404) return null;
    const answer: IconReply = response.ok ? await response.json() : {};
    return request.names.map((name) => [name, readIcon(answer, collection, name)] as const);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
};

const ask = async (service: Service, collection: string, request: IconRequest) => {
  const drawings = await fetchIcons(collection, request, service.timeoutMs);
  for (const [name, drawing] of drawings ?? [])
    if (drawing) states.set(`${collection}:${name}`, drawing);
    else service.lacks.add(`${collection}:${name}`);
  notify();
};

/** Tries each service in turn for the icons that the previous ones didn't return. */
const load = async (collection: string, names: string[]) => {
  const keyOf = (name: string) => `${collection}:${name}`;
  const pending = () => names.filter((name) => states.get(keyOf(name)) === "pending");
  for (const service of services) {
    const asked = pending().filter((name) => !service.lacks.has(keyOf(name)));
    const { href } = new URL(`${service.endpoint}/${collection}.json`, location.origin);
    await Promise.all(requestsFor(href, asked).map((request) => ask(service, collection, request)));
  }
  for (const key of pending().map(keyOf))
    states.set(key, services.every(({ lacks }) => lacks.has(key)) ? "missing" : "failed");
  notify();
};

const loadWanted = () => {
  const collections = Map.groupBy(wanted, ({ collection }) => collection);
  wanted = [];
  for (const [collection, icons] of collections)
    void load(collection, icons.map(({ name }) => name).sort());
};

/** Requests an icon, batched with all others requested in the same tick. */
export const loadIcon = (given: string) => {
  const name = fullName(given);
  if (states.has(name)) return;
  const icon = parseIcon(name);
  states.set(name, icon ? "pending" : "missing");
  if (icon && wanted.push(icon) === 1) queueMicrotask(loadWanted);
};

/** Failed requests are retried on the next page. */
export const resetFailedIcons = () => {
  for (const [name, state] of states) if (state === "failed") states.delete(name);
  notify();
};
