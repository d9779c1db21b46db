import { readdirSync, readFileSync } from "node:fs";
import { pathOf } from "../environment.ts";
import { tableOf } from "./markdown.ts";

const folder = "docs/decisions";

/** Every decision by its number, with the title of its page. */
export const decisionTable = () =>
  tableOf(
    ["number", "decision"],
    readdirSync(pathOf(folder))
      .filter((file) => /^\d{4}-.*\.md$/.test(file))
      .sort()
      .map((file) => {
        const text = readFileSync(pathOf(`${folder}/${file}`), "utf8");
        const [, number = "", title = ""] = /^# (\d+)\. (.+)$/m.exec(text) ?? [];
        return [number, `[${title}](${file})`];
      }),
  );
