import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

const origin = "http://localhost:3000";

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

const head = (major: number, value: number) => {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
};

const cbor = (value: Cbor): Buffer => {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string")
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Map)
    return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)]);
  return Buffer.concat([head(2, value.length), value]);
};

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();

const flagBits = { present: 0x01, verified: 0x04, attested: 0x40 };

type Ceremony = { challenge: string; options: Record<string, unknown> };
export type Bent = {
  verified?: boolean;
  counter?: number;
  origin?: string;
  site?: string;
  type?: string;
  signer?: KeyObject;
  unsigned?: boolean;
};

export const newKeys = () => generateKeyPairSync("ec", { namedCurve: "P-256" });

/** A software authenticator, which can also send wrong data. It counts its uses. */
export const createAuthenticator = () => {
  const { publicKey, privateKey } = newKeys();
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const credential = randomBytes(32);
  const id = credential.toString("base64url");
  const coseKey = new Map<number, Cbor>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, "base64url")],
    [-3, Buffer.from(y, "base64url")],
  ]);
  let uses = 0;

  const dataOf = ({ verified = true, site = "localhost", counter }: Bent, attested?: Buffer) => {
    const { present, verified: uv, attested: at } = flagBits;
    const flags = present | (verified ? uv : 0) | (attested ? at : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter ?? uses);
    return Buffer.concat([sha256(site), Buffer.from([flags]), count, attested ?? Buffer.alloc(0)]);
  };
  const clientOf = ({ options }: Ceremony, type: string, bent: Bent) =>
    Buffer.from(
      JSON.stringify({
        type: bent.type ?? type,
        challenge: options["challenge"],
        origin: bent.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const answered = (response: Record<string, string>) => ({
    id,
    rawId: id,
    type: "public-key" as const,
    clientExtensionResults: {},
    response,
  });

  return {
    id,
    register: (ceremony: Ceremony, bent: Bent = {}) => {
      const attested = Buffer.concat([
        Buffer.alloc(16),
        Buffer.from([0, credential.length]),
        credential,
        cbor(coseKey),
      ]);
      const object = new Map<string, Cbor>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", dataOf(bent, attested)],
      ]);
      return answered({
        clientDataJSON: clientOf(ceremony, "webauthn.create", bent).toString("base64url"),
        attestationObject: cbor(object).toString("base64url"),
      });
    },
    assert: (ceremony: Ceremony, bent: Bent = {}) => {
      uses += 1;
      const client = clientOf(ceremony, "webauthn.get", bent);
      const data = dataOf(bent);
      const key = bent.signer ?? privateKey;
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), key);
      return answered({
        clientDataJSON: client.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: bent.unsigned ? "" : signature.toString("base64url"),
      });
    },
  };
};
export type Answer = ReturnType<ReturnType<typeof createAuthenticator>["assert"]>;
