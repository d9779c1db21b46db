import { problems } from "@purser/contract/http/problem";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { triggerMessage } from "./triggerMessages.ts";

const { owner } = await testProduct();

test("every trigger that refuses raises a known problem with the text of its reason", async () => {
  const { rows } = await owner.query<{ name: string; text: string; constraint: string }>(
    `select p.proname as name, replace(found[1], '''''', '''') as text, found[2] as constraint
     from pg_proc p, regexp_matches(
       p.prosrc, 'raise exception ''((?:[^'']|'''')*)''[^;]*constraint = ''(problem_\\w+)''', 'g') found
     order by 1, 2`,
  );
  expect(rows.length).toBeGreaterThan(20);
  for (const { name, text, constraint } of rows) {
    const [code = "", reason = ""] = constraint.slice("problem_".length).split("__");
    expect(problems, name).toHaveProperty(code);
    expect(triggerMessage(reason)?.text, `${name}: ${constraint}`).toBe(text);
  }
});
