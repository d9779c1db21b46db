import { createListeners } from "../listeners.ts";
import { runtime } from "../page/runtime.ts";
import { type Drawing, drawingIn, type IconAnswer } from "./iconData.ts";
import { fullName, type IconRequest, parseIcon, requestsFor } from "./iconRequests.ts";

/** Who is asked for icons, and the names of those that it said it does not have. */
const serviceAt = (endpoint: string, timeoutMs: number) => ({
  endpoint,
  timeoutMs,
  lacks: new Set<string>(),
});
type Service = ReturnType<typeof serviceAt>;

const { provider, localEndpoint, publicEndpoint, fallback } = runtime.icons;
const local = serviceAt(localEndpoint, 1500);
const open = serviceAt(publicEndpoint, 5000);

/** In the order in which they are asked. */
const services = { server: fallback ? [local, open] : [local], iconify: [open], none: [] }[
  provider
];

/** "failed" is asked for again on the next page, "missing" never. */
type State = Drawing | "pending" | "failed" | "missing";

const states = new Map<string, State>();
let wanted: { collection: string; name: string }[] = [];

const { subscribe, tell } = createListeners();
export const onIconsChanged = subscribe;

/** Undefined is what nobody has asked for, or may ask for again. */
export const iconState = (name: string) => states.get(fullName(name));

/** For each name its drawing, or null if there is none; null is no answer in time, or none that can be read. */
const fetchDrawings = async (collection: string, request: IconRequest, timeoutMs: number) => {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  try {
    const response = await fetch(request.address, { signal: late.signal });
    // There is no such collection: an answer all the same, with nothing in it.
    if (!response.ok && response.status !== 404) return null;
    const answer: IconAnswer = response.ok ? await response.json() : {};
    return request.names.map((name) => [name, drawingIn(answer, collection, name)] as const);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
};

const ask = async (service: Service, collection: string, request: IconRequest) => {
  const drawings = await fetchDrawings(collection, request, service.timeoutMs);
  for (const [name, drawing] of drawings ?? [])
    if (drawing) states.set(`${collection}:${name}`, drawing);
    else service.lacks.add(`${collection}:${name}`);
  tell();
};

/** Asks one service after the other for what those before it did not give. */
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
  tell();
};

const loadWanted = () => {
  const collections = Map.groupBy(wanted, ({ collection }) => collection);
  wanted = [];
  for (const [collection, icons] of collections)
    void load(collection, icons.map(({ name }) => name).sort());
};

/** Asks for an icon, together with all others that are asked for in this turn. */
export const loadIcon = (given: string) => {
  const name = fullName(given);
  if (states.has(name)) return;
  const icon = parseIcon(name);
  states.set(name, icon ? "pending" : "missing");
  if (icon && wanted.push(icon) === 1) queueMicrotask(loadWanted);
};

/** What could not be asked for, may be again: the next page is another try. */
export const forgetFailures = () => {
  for (const [name, state] of states) if (state === "failed") states.delete(name);
  tell();
};
