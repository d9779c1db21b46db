import { compressFiles, describeBuild } from "./builds.ts";
import { translateBuild } from "./translateBuild.ts";

await translateBuild({ withPseudo: process.argv.includes("--pseudo") });
compressFiles();
console.log(`Build ${describeBuild()}`);
