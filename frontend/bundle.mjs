// Bundles the page's modules and styles into the Python package:
//
//     node bundle.mjs           writes app.js and app.css, and those of the other pages
//     node bundle.mjs --check   tells whether they are as they would be written

import { Buffer } from "node:buffer";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const STATIC = join(HERE, "..", "activeeval_widgets", "widgets", "static");
const NOTICE = "Made of frontend/src by `make bundle`: edit that.";

const common = {
  absWorkingDir: HERE,
  bundle: true,
  minify: true,
  charset: "utf8",
  write: false,
  logLevel: "warning",
};
const BUNDLES = [
  { name: "app", module: "src/index.ts", style: "src/styles/index.css" },
  { name: "part", module: "src/parts/loader.ts" }, // its styles are the app's
  { name: "start", module: "src/start/index.ts", style: "src/start/start.css" },
  { name: "race", style: "src/race/race.css" }, // its module is the app's
  { name: "class", module: "src/class/index.ts", style: "src/class/class.css" },
  { name: "static_page", module: "src/static_page/index.ts", style: "src/static_page/static_page.css" },
  { name: "static_worker", module: "src/static_page/worker.ts" },
  { name: "explorers", module: "src/explorers/index.ts", style: "src/explorers/explorers.css" },
];
const builds = await Promise.all(
  BUNDLES.flatMap(({ name, module, style }) => [
    ...(module === undefined
      ? []
      : [
          build({
            ...common,
            entryPoints: [module],
            outfile: `${name}.js`,
            format: "esm",
            target: "es2022",
            banner: { js: `// ${NOTICE}` },
          }),
        ]),
    ...(style === undefined
      ? []
      : [build({ ...common, entryPoints: [style], outfile: `${name}.css`, banner: { css: `/* ${NOTICE} */` } })]),
  ]),
);

const stale = [];
for (const { outputFiles } of builds) {
  for (const { path, contents } of outputFiles) {
    const name = path.slice(HERE.length + 1);
    const place = join(STATIC, name);
    if (!process.argv.includes("--check")) await writeFile(place, contents);
    else if (!Buffer.from(contents).equals(await readFile(place).catch(() => Buffer.alloc(0)))) stale.push(name);
  }
}
if (stale.length > 0) {
  console.error(
    `${stale.join(" and ")} in the package: not made of frontend/src as it is. make bundle makes them anew.`,
  );
  process.exit(1);
}
