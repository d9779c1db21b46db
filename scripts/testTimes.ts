import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

const shownTests = 30;

const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1).padStart(8);

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

const timesOf = (module: TestModule) => {
  const { collectDuration, setupDuration, prepareDuration, environmentSetupDuration, duration } =
    module.diagnostic();
  return {
    file: relative(process.cwd(), module.moduleId),
    tests: duration,
    imports: collectDuration,
    setup: setupDuration + prepareDuration + environmentSetupDuration,
  };
};

const slowestOf = (modules: readonly TestModule[]) =>
  modules
    .flatMap((module) =>
      [...module.children.allTests()].map((test) => ({
        name: `${relative(process.cwd(), module.moduleId)} > ${test.fullName}`,
        duration: test.diagnostic()?.duration ?? 0,
      })),
    )
    .toSorted((a, b) => b.duration - a.duration)
    .slice(0, shownTests);

/**
 * Prints the time per file and per test, so that a slowdown shows in the run that causes it. Import
 * time includes what a file does before its first test, such as starting the server.
 */
export const testTimes: Reporter = {
  onTestRunEnd: (modules) => {
    const files = modules.map(timesOf);
    const lines = [
      "",
      "   tests  imports    setup  file",
      ...files
        .toSorted((a, b) => b.tests + b.imports - (a.tests + a.imports))
        .map(
          ({ file, tests, imports, setup }) =>
            `${seconds(tests)} ${seconds(imports)} ${seconds(setup)}  ${file}`,
        ),
      `${seconds(sum(files.map(({ tests }) => tests)))} ${seconds(sum(files.map(({ imports }) => imports)))} ${seconds(sum(files.map(({ setup }) => setup)))}  all ${files.length} files, in seconds`,
      "",
      ` seconds  slowest ${shownTests} tests`,
      ...slowestOf(modules).map(({ name, duration }) => `${seconds(duration)}  ${name}`),
      "",
    ];
    process.stdout.write(`${lines.join("\n")}\n`);
  },
};
