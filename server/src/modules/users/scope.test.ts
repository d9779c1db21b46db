import { randomUUID } from "node:crypto";
import { allows, type Permission } from "@purser/contract/auth/permissions";
import { endpoints } from "@purser/contract/endpoints";
import type { Endpoint } from "@purser/contract/http/endpoint";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";

const { call, signIn } = await testProduct();
const colleague = await signIn("admin", "Hidden Colleague");
const support = await signIn("support");

/** Every endpoint with a user id in its path. */
const userEndpoints = Object.entries(endpoints).filter(([, { path }]) =>
  path.startsWith("/users/:id"),
);

const request = async (endpoint: Endpoint, id: string) => {
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

test.each(userEndpoints)(
  "T2 %s answers for a team member as for an unknown id",
  async (_name, endpoint) => {
    const ofTeam = await request(endpoint, colleague.id);
    const ofUnknown = await request(endpoint, randomUUID());
    expect([ofTeam.status, ofTeam.type]).toEqual([ofUnknown.status, ofUnknown.type]);
    expect(ofTeam.text).not.toContain("Hidden Colleague");
    if (endpoint.method === "GET" && allows(support.role, endpoint.permission as Permission))
      expect([400, 404]).toContain(ofTeam.status);
  },
);
