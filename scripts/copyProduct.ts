import { readFileSync } from "node:fs";
import { pathOf } from "./environment.ts";
import { writeProduct } from "./release/archive.ts";
import { makeSbom } from "./release/sbom.ts";

// `node scripts/copyProduct.ts <directory>`: copies what an image needs of the repository (deploy/Containerfile).

const [, , target] = process.argv;
if (!target) throw new Error("Name the directory to copy to.");
const { version } = JSON.parse(readFileSync(pathOf("package.json"), "utf8"));
writeProduct(target, makeSbom(version, new Date()));
console.log(`Copied the product to ${target}.`);
