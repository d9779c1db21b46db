import type { Client } from "./client.ts";
import { PurserError } from "./error.ts";
import type { Check } from "./types.ts";

/** A public key of `/.well-known/jwks.json`. */
export type SnapshotKey = { kid: string; kty: string; crv: string; x: string };

/** The entitlements of a customer in an app, signed by Purser. */
export type Snapshot = {
  /** The URL of Purser. */
  iss: string;
  /** The code of the app. */
  aud: string;
  /** The customer, as the app named them. */
  sub: string;
  /** Seconds since 1970. */
  iat: number;
  exp: number;
  features: Check[];
};

const bytesOf = (base64url: string) =>
  Uint8Array.from(atob(base64url.replaceAll("-", "+").replaceAll("_", "/")), (char) =>
    char.charCodeAt(0),
  );

const textOf = (base64url: string) => new TextDecoder().decode(bytesOf(base64url));

const refused = (why: string, code = "snapshot_invalid") =>
  new PurserError(code, `Snapshot refused: ${why}`);

const partsOf = (token: string) => {
  const [header = "", payload = "", signature = "", ...more] = token.split(".");
  try {
    const { alg, kid, typ } = JSON.parse(textOf(header));
    if (more.length === 0 && alg === "EdDSA" && typ === "purser-snapshot+jwt")
      return {
        kid: String(kid),
        payload: textOf(payload),
        signature: bytesOf(signature),
        signed: new TextEncoder().encode(`${header}.${payload}`),
      };
  } catch {
    // Refused below.
  }
  throw refused("it isn't a snapshot");
};

type Expected = {
  keys: readonly SnapshotKey[];
  /** The code of the app. */
  app: string;
  user: string;
  /** Milliseconds since 1970. */
  now?: number;
};

/** The content of a snapshot, if Purser signed it for this app and customer, and it hasn't expired. */
export const verifySnapshot = async (
  token: string,
  { keys, app, user, now = Date.now() }: Expected,
): Promise<Snapshot> => {
  const { kid, payload, signature, signed } = partsOf(token);
  const jwk = keys.find((key) => key.kid === kid);
  if (!jwk) throw refused("its signing key is unknown", "snapshot_key_unknown");
  const { kty, crv, x } = jwk;
  const key = await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", false, ["verify"]);
  if (!(await crypto.subtle.verify("Ed25519", key, signature, signed)))
    throw refused("its signature is not valid");
  const snapshot: Snapshot = JSON.parse(payload);
  if (snapshot.aud !== app || snapshot.sub !== user)
    throw refused("it is for another app or customer");
  if (snapshot.exp * 1000 <= now) throw refused("it has expired", "snapshot_expired");
  return snapshot;
};

/** Keeps snapshots and public keys over a restart, such as `localStorage` or a file. */
export type SnapshotStorage = {
  getItem: (name: string) => string | null;
  setItem: (name: string, value: string) => void;
};

type SnapshotOptions = {
  /** The code of the app. */
  app: string;
  storage?: SnapshotStorage;
};

const memory = (): SnapshotStorage => {
  const items = new Map<string, string>();
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
  };
};

/** Answers checks from signed snapshots while Purser can't be reached. */
export const attachSnapshots = (client: Client, { app, storage = memory() }: SnapshotOptions) => {
  const { transport, environment } = client;
  const opened = new Map<string, Snapshot>();
  /** By the clock of Purser, if a response has told how far this one is ahead. */
  const now = () => environment.now() - (transport.aheadMs() ?? 0);

  let known: SnapshotKey[] | undefined;
  const storedKeys = (): SnapshotKey[] => JSON.parse(storage.getItem("purser-keys") ?? "[]");
  /** With the missing key in the URL, because a cache may have an answer from before it was created. */
  const loadKeys = async (kid: string) => {
    const { keys } = await transport.send<{ keys: SnapshotKey[] }>({
      path: "/.well-known/jwks.json",
      query: { kid },
    });
    known = keys;
    return keys;
  };
  const keepKeys = () => known && storage.setItem("purser-keys", JSON.stringify(known));

  const verify = (token: string, user: string, keys: readonly SnapshotKey[]) =>
    verifySnapshot(token, { keys, app, user, now: now() });

  /** Unknown keys are loaded, because Purser may have started to use another one. */
  const open = async (token: string, user: string) => {
    try {
      return await verify(token, user, known ?? storedKeys());
    } catch (error) {
      if (!(error instanceof PurserError) || error.code !== "snapshot_key_unknown") throw error;
      return verify(token, user, await loadKeys(partsOf(token).kid));
    }
  };

  client.addOfflineSource((user, feature) => {
    const snapshot = opened.get(user);
    if (!snapshot || snapshot.exp * 1000 <= now()) return undefined;
    return snapshot.features.find(({ feature: { code } }) => code === feature);
  });

  return {
    /** Requests a new snapshot of a customer and keeps it. If the storage is full, it rejects, and the snapshot applies. */
    refresh: async (user: string) => {
      const { token } = await transport.send<{ token: string }>({
        path: "/snapshots",
        query: { user },
        user,
      });
      const snapshot = await open(token, user);
      opened.set(user, snapshot);
      keepKeys();
      storage.setItem(`purser-snapshot:${user}`, token);
      return snapshot;
    },
    /** Opens the stored snapshot of a customer, for example at the start without a connection. Null if there is none. */
    restore: async (user: string) => {
      const token = storage.getItem(`purser-snapshot:${user}`);
      if (token === null) return null;
      const snapshot = await open(token, user);
      opened.set(user, snapshot);
      keepKeys();
      return snapshot;
    },
  };
};
