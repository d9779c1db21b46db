import { randomUUID } from "node:crypto";
import { allows, type Permission } from "@purser/contract/auth/permissions";
import { endpoints } from "@purser/contract/endpoints";
import type { Endpoint } from "@purser/contract/http/endpoint";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";

const { call, signIn } = await testProduct();
const colleague = await signIn("admin", "Hidden Colleague");
const support = await signIn("support");

/** Every call there is that names a person in its path. */
const aboutPeople = Object.entries(endpoints).filter(([, { path }]) =>
  path.startsWith("/users/:id"),
);

const asked = async (endpoint: Endpoint, id: string) => {
  const params = { id, noteId: randomUUID(), exportId: randomUUID() };
  const named = Object.fromEntries(
    Object.entries(params).filter(([name]) => endpoint.path.includes(`:${name}`)),
  );
  const { status, body, text } = await call(support, endpoint, {
    params: named as never,
    ...(endpoint.method !== "GET" && { body: { reason: "Somebody asked." } as never }),
    version: 1,
  });
  return { status, type: body?.["type"], text };
};

test.each(aboutPeople)("T2 %s tells of staff as little as of nobody", async (_name, endpoint) => {
  const ofStaff = await asked(endpoint, colleague.id);
  const ofNobody = await asked(endpoint, randomUUID());
  expect([ofStaff.status, ofStaff.type]).toEqual([ofNobody.status, ofNobody.type]);
  expect(ofStaff.text).not.toContain("Hidden Colleague");
  if (endpoint.method === "GET" && allows(support.role, endpoint.permission as Permission))
    expect([400, 404]).toContain(ofStaff.status);
});
