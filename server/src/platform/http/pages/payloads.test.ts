import { builtRoutes } from "@purser/contract/pages/routes";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";

const { app, signIn } = await testProduct();
const viewer = await signIn("viewer");

const html = "text/html,application/xhtml+xml,*/*;q=0.8";
const payloadOf = (page: string) => `${page === "/" ? "" : page}/_payload.json?1111111111111111`;

const ask = async (url: string, headers: Record<string, string> = {}) => {
  const response = await app.inject({ url, headers: { accept: html, ...headers } });
  return {
    status: response.statusCode,
    type: String(response.headers["content-type"]).split(";")[0],
    cache: response.headers["cache-control"],
  };
};

const refused = (status: number) => ({
  status,
  type: "application/problem+json",
  cache: "private, no-store",
});

const id = crypto.randomUUID();
const guarded = builtRoutes.filter((path) => path !== "/login");

test.each(guarded)(
  "1.9 refuses the payload of %s without a session, as private JSON",
  async (path) => {
    expect(await ask(payloadOf(path.replace("$id", id)))).toEqual(refused(401));
  },
);

test("1.9 answers the payload of a page with private JSON", async () => {
  for (const [url, cookie] of [
    ["/apps", viewer.cookie],
    ["/login", ""],
  ] as const)
    expect([url, await ask(payloadOf(url), { cookie })]).toEqual([
      url,
      { status: 200, type: "application/json", cache: "private, no-store" },
    ]);
});

test("1.9 refuses the payload of a page that the role can't open, as private JSON", async () => {
  const { cookie } = viewer;
  expect(await ask(payloadOf("/apps/create"), { cookie })).toEqual(refused(403));
});

test.each([
  "/nope",
  "/promotion/view/1",
  "/apps/edit",
  "/apps/view/1/2",
  `/apps/view/${id}`,
  "/apps/view/1",
  "/apps/view/not-an-id",
  "/apps/view/%E4",
  "/package/apps/x",
  "/transaction/view/TX-1",
  `/users/view/${"x".repeat(300)}`,
  `/users/view/${"x".repeat(3000)}`,
])("1.9 answers the payload of %s with 404 as private JSON, also to a browser", async (page) => {
  const { cookie } = viewer;
  expect(await ask(payloadOf(page), { cookie })).toEqual(refused(404));
  const asData = await ask(payloadOf(page), { cookie, accept: "application/json" });
  expect(asData).toEqual(refused(404));
});

test("S2.3 answers a page number beyond row 10,000 with the last numbered page", async () => {
  const { cookie } = viewer;
  for (const query of ["page=401", "page=99999999999&size=100"]) {
    const url = `${payloadOf("/users")}&${query}`;
    const { statusCode } = await app.inject({ url, headers: { cookie } });
    expect([query, statusCode]).toEqual([query, 200]);
  }
});
