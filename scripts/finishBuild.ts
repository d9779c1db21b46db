import { compressFiles, describeBuild } from "./builds.ts";

compressFiles();
console.log(`Build ${describeBuild()}`);
