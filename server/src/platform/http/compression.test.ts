import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";

const { app, signIn } = await testProduct();
const { cookie } = await signIn("admin");

const get = (url: string, encoding?: string) =>
  app.inject({
    url,
    headers: { cookie, ...(encoding !== undefined && { "accept-encoding": encoding }) },
  });

test.each([
  ["br, gzip", "br", brotliDecompressSync],
  ["gzip", "gzip", gunzipSync],
] as const)("P12 JSON is compressed for %s", async (accepted, encoding, decompress) => {
  const plain = await get("/api/openapi.json");
  const packed = await get("/api/openapi.json", accepted);
  expect(packed.headers).toMatchObject({ "content-encoding": encoding });
  expect(packed.headers["vary"]).toContain("accept-encoding");
  expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5);
  expect(decompress(packed.rawPayload).toString()).toBe(plain.body);
});

test.each([undefined, "identity", "br;q=0", "unknown"])(
  "P12 a caller that accepts %s gets it as it is",
  async (accepted) => {
    const { statusCode, headers } = await get("/api/openapi.json", accepted);
    expect([statusCode, headers["content-encoding"]]).toEqual([200, undefined]);
  },
);

test("P12 small replies aren't compressed", async () => {
  expect((await get("/api/company", "br")).headers["content-encoding"]).toBeUndefined();
  expect((await get("/healthz", "br")).headers["content-encoding"]).toBeUndefined();
});

test("P12 a compressed request body is refused", async () => {
  const { statusCode } = await app.inject({
    method: "POST",
    url: "/api/apps",
    headers: {
      cookie,
      origin: "http://localhost:3000",
      "content-type": "application/json",
      "content-encoding": "gzip",
      "idempotency-key": "packed",
    },
    payload: "not json",
  });
  expect(statusCode).toBe(400);
});
