import { entities } from "@purser/contract/entities";
import { expect, test } from "vitest";
import { creations } from "../palette/creations.ts";
import { groups } from "./entries.ts";

test("has a menu entry and a create action for every entity", () => {
  const places: string[] = groups.flatMap(({ entries }) => entries).map(({ to }) => to);
  const ways: string[] = creations.map(({ to }) => to);
  const all = Object.values(entities);
  expect(all.map(({ list }) => list).filter((list) => !places.includes(list))).toEqual([]);
  expect(all.map(({ create }) => create).filter((create) => !ways.includes(create))).toEqual([]);
});
