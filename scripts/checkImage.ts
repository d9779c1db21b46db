import { makeBases } from "./image/bases.ts";
import { buildImage } from "./image/build.ts";
import { checkImage } from "./image/checks.ts";
import { missingTools, run } from "./image/tools.ts";

// Builds deploy/Containerfile on a Debian from debootstrap, because no image can be pulled everywhere, and checks that its
// containers serve the product. Needs root, PostgreSQL and Redis. `--skip-build` checks the image of the last run.

const image = "localhost/purser-check";
const missing = missingTools();

if (missing.length > 0) {
  console.error(`Missing: ${missing.join(", ")}. Run \`apt-get install ${missing.join(" ")}\`.`);
  process.exitCode = 1;
} else {
  if (!process.argv.includes("--skip-build")) buildImage(image, makeBases());
  const results = await checkImage(image);
  const size = Number(run("podman", "image", "inspect", "--format={{.Size}}", image)) / 1e6;
  for (const { what, passed } of results) console.log(`${passed ? "passed" : "FAILED"}  ${what}`);
  console.log(`The image has ${size.toFixed(0)} MB.`);
  if (results.some(({ passed }) => !passed)) process.exitCode = 1;
}
