import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { patiently } from "../patience.testing.ts";
import { atEnd, childEnvironment, testConfig, testDatabase } from "../testing.ts";
import { catalog as command } from "./catalog.ts";
import { runHere } from "./testing.ts";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "purser-catalog-"));
afterAll(() => rm(folder, { recursive: true }));

/** An empty database and file for each test, so that tests don't depend on each other. */
const openWorkspace = async () => {
  const database = await testDatabase();
  atEnd(database.drop);
  const config = testConfig(database.url);
  const ownFolder = await mkdtemp(join(folder, "test-"));
  const file = join(ownFolder, "catalog.yaml");
  const write = async (source: string) => writeFile(file, source);

  /** Runs the command in its own process, as a build would. */
  const started = async (...words: string[]) =>
    promisify(execFile)(process.execPath, [main, "catalog", ...words], {
      env: childEnvironment(config),
    }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );

  /** Runs the command in this process, which is faster. */
  const purser = (...words: string[]) => runHere(config, command, ...words);

  const apply = async (source: string) => {
    await write(source);
    const applied = await purser("apply", file, "--yes");
    expect(applied).toMatchObject({ code: 0, stderr: "" });
    return applied;
  };
  return { database, config, folder: ownFolder, file, write, started, purser, apply };
};

const small = `version: 1
apps:
  - code: harbor
    name: Harbor
    status: active
    features:
      - code: seats
        name: Seats
        kind: limit
        defaultValue: 1
packages:
  - code: studio
    name: Studio
    apps:
      harbor:
        seats: 10
`;

test("apply exits with 2 and changes nothing if it isn't confirmed", async () => {
  const { file, write, config, purser } = await openWorkspace();
  await write(small);
  const codes: number[] = [];
  let said = "";
  await command(config, {
    rest: ["apply", file],
    environment: {},
    ask: async () => "n",
    print: (text) => {
      said += text;
    },
    exitWith: (code) => codes.push(code),
  });
  expect(codes).toEqual([2]);
  expect(said).toMatch(/No changes applied\.\n$/);
  expect((await purser("diff", file)).code).toBe(2);
});

test(
  "diff exits with 2 for differences and 0 for none, and apply requires --yes",
  async () => {
    const { file, write, started, purser } = await openWorkspace();
    await write(small);
    const before = await started("diff", file);
    expect(before).toMatchObject({ code: 2, stderr: "" });
    expect(before.stdout).toBe(`+ create app harbor (Harbor)
    status: "active"
+ create feature harbor/seats (Seats)
    kind: "limit"
    defaultValue: 1
+ create package studio (Studio)
    apps/harbor: true
    apps/harbor/seats: 10
    New packages start as a draft. Nothing is on sale until you publish it.
3 create.
`);
    expect(await started("apply", file)).toMatchObject({
      code: 1,
      stderr: "Not running in a terminal. Use --yes to apply without confirmation.\n",
    });
    const applied = await purser("apply", file, "--yes");
    expect(applied.code).toBe(0);
    expect(applied.stdout).toContain(
      "3 changes applied. 1 draft is ready to publish.\n  studio: draft version 1\n",
    );
    expect(await purser("diff", file)).toEqual({
      code: 0,
      stdout: "No changes.\n",
      stderr: "",
    });
    expect((await purser("apply", file)).stdout).toBe("No changes.\n");
  },
  patiently(120_000),
);

test("export prints or writes the file, in the format of its extension", async () => {
  const { folder, purser, apply } = await openWorkspace();
  await apply(small);
  expect((await purser("export")).stdout).toBe(small);
  const json = join(folder, "catalog.json");
  await purser("export", json);
  expect(JSON.parse(await readFile(json, "utf8"))).toMatchObject({ apps: [{ code: "harbor" }] });
  expect((await purser("diff", json)).stdout).toBe("No changes.\n");
  expect((await purser("export", "--format", "json")).stdout).toBe(await readFile(json, "utf8"));
});

test("audits applied changes with the system user and the file name", async () => {
  const { database, apply } = await openWorkspace();
  await apply(small);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query(
    "select distinct actor_kind, actor_name, reason from audit_entries where entity = 'apps'",
  );
  await client.end();
  expect(rows).toEqual([
    {
      actor_kind: "system",
      actor_name: `catalog (${userInfo().username})`,
      reason: "Applied from catalog.yaml",
    },
  ]);
});

test("shows changes with before and after, and archived records with a minus", async () => {
  const { file, write, purser, apply } = await openWorkspace();
  await apply(small);
  await write(
    small.replace("seats: 10", "seats: 25").replace(/apps:\n[\s\S]*?packages:/, "packages:"),
  );
  const kept = await purser("diff", file);
  expect(kept.stdout).toBe(`~ change package studio (Studio)
    apps/harbor/seats: 10 -> 25
    Saved in the draft, version 1.
1 change.
`);
  await write("version: 1\n");
  const archived = await purser("diff", file, "--archive-missing");
  expect(archived).toMatchObject({ code: 2 });
  expect(archived.stdout).toBe(`- archive app harbor (Harbor)
    status: "active" -> "archived"
    Customers keep their access. Packages that include this app can't be sold or published.
Note: 1 draft package isn't in the file. Drafts can't be archived, so nothing changes.
1 archive.
`);
});

test("an error names the file, line and column and exits with 1", async () => {
  const { file, write, purser } = await openWorkspace();
  await write(small.replace("kind: limit", "kind: limits"));
  expect(await purser("diff", file)).toEqual({
    code: 1,
    stdout: "",
    stderr: `${file}:9:9 apps/harbor/features/seats/kind Choose one of switch, limit, metered, choice.\n`,
  });
  await write(small.replace("        seats: 10", "        sets: 10"));
  const blockingIssue = await purser("apply", file, "--yes");
  expect(blockingIssue.code).toBe(1);
  expect(blockingIssue.stdout).toContain(
    `${file}:16:9 package studio: This feature doesn't exist.\n`,
  );
  expect(blockingIssue.stdout).toContain("The file can't be applied. Fix the errors above.\n");
});

test("refuses a wrong call with a usage message", async () => {
  const { folder, purser } = await openWorkspace();
  expect((await purser("publish")).stderr).toBe("Usage: purser catalog export, diff or apply.\n");
  expect((await purser("diff")).stderr).toBe(
    "Missing file. Usage: purser catalog diff <file>, with - for stdin.\n",
  );
  expect((await purser("diff", join(folder, "gone.yaml"))).stderr).toContain(
    "Can't read the file: ENOENT",
  );
  expect((await purser("export", "--format", "xml")).stderr).toBe(
    '--format must be yaml or json, not "xml".\n',
  );
});

test("asks at a terminal and applies only after a yes", async () => {
  const { config, file, write, apply } = await openWorkspace();
  await apply(small);
  await write(small.replace("name: Harbor", "name: Harbour"));
  const applyWith = async (answer: string) => {
    const printed: string[] = [];
    await command(config, {
      rest: ["apply", file],
      environment: {},
      print: (text) => printed.push(text),
      exitWith: () => undefined,
      ask: async () => answer,
    });
    return printed.at(-1);
  };
  expect(await applyWith("")).toBe("No changes applied.\n");
  expect(await applyWith("y")).toBe("1 change applied.\n");
});
