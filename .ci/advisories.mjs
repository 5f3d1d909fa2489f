// Lists the known advisories of the dependencies in a file, for a nightly job: `node .ci/advisories.mjs [FILE]`, where FILE is
// advisories.txt if it is left out. Its status is 0 whatever it finds: an advisory of today is no fault of a change. Where
// the registry does not answer, the file says so.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";

const severities = ["critical", "high", "moderate", "low", "info"];

/** The advisories of the installed versions by package; a text if the registry gave none. */
function audited(...more) {
  const { stdout = "", error } = spawnSync("npm", ["audit", "--json", ...more], {
    cwd: new URL("..", import.meta.url),
    encoding: "utf8",
    maxBuffer: 64 * 1024 ** 2,
  });
  if (error) return error.message;
  try {
    const { vulnerabilities, message } = JSON.parse(stdout);
    return vulnerabilities ?? message ?? "npm audit said nothing";
  } catch {
    return "npm audit answered no JSON";
  }
}

/** The lines of one package: those of an advisory of its own, not those that it has from another package. */
const linesOf = ([name, { severity, via, fixAvailable }], shipped) =>
  via
    .filter((each) => typeof each === "object")
    .map(({ title, url, range }) =>
      [
        severity.padEnd(8),
        shipped.has(name) ? "service" : "tests  ",
        `${name} ${range}: ${title}.`,
        fixAvailable ? "A fixed version is there." : "There is no fixed version yet.",
        url,
      ].join("  "),
    );

function report() {
  const [all, shipped] = [audited(), audited("--omit=dev")];
  const failure = [all, shipped].find((each) => typeof each === "string");
  if (failure !== undefined) return `The advisories are not known: ${failure}\n`;
  const rank = ([, { severity }]) => severities.indexOf(severity);
  const packages = Object.entries(all).toSorted((a, b) => rank(a) - rank(b) || a[0].localeCompare(b[0]));
  const lines = packages.flatMap((each) => linesOf(each, new Set(Object.keys(shipped))));
  const head =
    lines.length === 0 ? "No dependency has a known advisory." : `Known advisories: ${lines.length}.`;
  return `${[head, ...lines].join("\n")}\n`;
}

const file = process.argv[2] ?? "advisories.txt";
const text = report();
writeFileSync(file, text);
process.stdout.write(`${text.slice(0, text.indexOf("\n"))} (${file})\n`);
