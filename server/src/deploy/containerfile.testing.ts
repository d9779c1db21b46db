import { commandFaults, isInRepository, serverPort, variableFaults } from "./facts.testing.ts";

type Instruction = { name: string; rest: string };

/** Instructions with their continued lines, without comments. */
const instructionsOf = (text: string): Instruction[] =>
  text
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .join("\n")
    .replace(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [name = ""] = line.split(" ");
      return { name, rest: line.slice(name.length + 1) };
    });

const wordsOf = (list: string): string[] => {
  const [, json = "[]"] = /(\[.*\])$/.exec(list) ?? [];
  return JSON.parse(json);
};

const isCopyFromStage = ({ rest }: Instruction) => rest.startsWith("--from=");

/** The last word is the target. */
const sourcesOf = ({ rest }: Instruction) => rest.split(" ").slice(0, -1);

const scriptsIn = (text: string) =>
  [...text.matchAll(/\b((?:scripts|deploy|server)\/[\w./-]+\.ts)\b/g)].map(
    ([, file]) => file ?? "",
  );

export const containerfileFaults = (text: string) => {
  const all = instructionsOf(text);
  const of = (name: string) => all.filter((one) => one.name === name);
  const stages = of("FROM").map(({ rest }) => / AS (\w+)$/.exec(rest)?.[1] ?? "");
  const copies = of("COPY");
  const missing = [
    ...copies.filter((one) => !isCopyFromStage(one)).flatMap(sourcesOf),
    ...all.flatMap(({ rest }) => scriptsIn(rest)),
  ].filter((file) => !isInRepository(file));
  const unknownStages = copies
    .filter(isCopyFromStage)
    .map(({ rest }) => /^--from=(\w+)/.exec(rest)?.[1] ?? "")
    .filter((stage) => !stages.includes(stage));
  const settings = of("ENV")
    .flatMap(({ rest }) => rest.split(" "))
    .map((one) => one.split("="));
  const user = of("USER").at(-1)?.rest ?? "";
  const command = wordsOf(of("CMD").at(-1)?.rest ?? "");
  return [
    ...missing.map((file) => `${file} doesn't exist`),
    ...unknownStages.map((stage) => `the stage ${stage} doesn't exist`),
    ...settings.flatMap(([name = "", value = ""]) => variableFaults(name, value)),
    ...commandFaults(command),
    ...(/^[1-9]\d*:[1-9]\d*$/.test(user) ? [] : ["the user must be a number other than 0"]),
    ...(of("EXPOSE").some(({ rest }) => rest === String(serverPort)) ? [] : ["PORT isn't exposed"]),
    ...(of("HEALTHCHECK").length === 1 ? [] : ["there is no health check"]),
  ];
};
