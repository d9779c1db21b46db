import { createCipheriv, hkdfSync, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { openSealed, seal } from "./secrets.ts";

const newKey = () => randomBytes(32).toString("base64");
const [older, newer, unknown] = [newKey(), newKey(), newKey()];
const owner = { purpose: "webhook", id: "1" };

test("D9 a value is sealed with the newest key and opened with any", () => {
  const before = seal([older], "whsec_1", owner);
  const after = seal([newer, older], "whsec_2", owner);
  expect(openSealed([newer, older], before, owner)).toBe("whsec_1");
  expect(openSealed([newer, older], after, owner)).toBe("whsec_2");
  expect(openSealed([newer], after, owner)).toBe("whsec_2");
});

/** The format of 0.5.0: no key ID, not bound to a row. */
const sealedBefore = (key: string, value: string) => {
  const nonce = randomBytes(12);
  const derived = Buffer.from(hkdfSync("sha256", key, "", "purser sealed value", 32));
  const cipher = createCipheriv("aes-256-gcm", derived, nonce);
  const sealed = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
};

test("D9 values of the previous release stay readable", () => {
  const sealed = sealedBefore(older, "whsec_1");
  expect(openSealed([newer, older], sealed, owner)).toBe("whsec_1");
});

const altered = (sealed: Buffer, place: number) => {
  const copy = Buffer.from(sealed);
  copy[place] = (copy[place] ?? 0) ^ 1;
  return copy;
};

test.each([
  ["without its key", (sealed: Buffer) => openSealed([unknown], sealed, owner)],
  ["in another row", (sealed: Buffer) => openSealed([newer], sealed, { ...owner, id: "2" })],
  [
    "for another purpose",
    (sealed: Buffer) => openSealed([newer], sealed, { ...owner, purpose: "authenticator" }),
  ],
  ["with altered text", (sealed: Buffer) => openSealed([newer], altered(sealed, 36), owner)],
  ["with an altered key ID", (sealed: Buffer) => openSealed([newer], altered(sealed, 5), owner)],
  ["when it is cut off", (sealed: Buffer) => openSealed([newer], sealed.subarray(0, 10), owner)],
  [
    "of an earlier release without its key",
    () => openSealed([unknown], sealedBefore(older, "x"), owner),
  ],
])("D9 a value can't be opened %s, and the refusal says what to do", (_, open) => {
  const sealed = seal([newer], "whsec_1", owner);
  expect(() => open(sealed)).toThrow(/its key isn't in SECRET_KEYS\. Ask the operator/);
});
