import { compressFiles, describeBuild } from "./builds.ts";

compressFiles();
console.log(`build ${describeBuild()}`);
