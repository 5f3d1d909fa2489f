import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../../src/app/config/config.ts";
import { serviceUnitText } from "../../src/cli/service-unit.ts";
import { openDatabase } from "../../src/store/engine/open-database.ts";
import { newestMigrationOf } from "../../src/store/engine/ping.ts";
import { newestMigration } from "../../src/store/migrations/registry.ts";
import { eachDatabase } from "../support/databases.ts";
import { hasProgram } from "../support/programs.ts";

const scratch = mkdtempSync(join(tmpdir(), "tickmark-containers-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const dockerfile = readFileSync("Dockerfile", "utf8").replaceAll("\\\n", " ");
const manifest = JSON.parse(readFileSync("package.json", "utf8")) as {
  bin: { tickmark: string };
  files: string[];
  scripts: Record<string, string>;
};
/** Every variable that the service reads. */
const variables = new Set(
  [...readFileSync("src/app/config/config.ts", "utf8").matchAll(/get\("(\w+)"\)/g)].map(
    ([, name]) => `TICKMARK_${name}`,
  ),
);
const secret = { TICKMARK_SECRET: "0123456789abcdef" };

/** The instructions of one kind, in their order. */
const instructions = (name: string, of = dockerfile): string[] =>
  [...of.matchAll(new RegExp(`^${name} (.*)$`, "gm"))].map(([, rest = ""]) => rest.trim());

const [, final = ""] = dockerfile.split(/^FROM (?=\S+$)/m).slice(-2);

interface ComposeService {
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly build?: string;
  readonly logging?: object;
  readonly configs?: readonly object[];
}
interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: object;
  readonly configs?: Readonly<Record<string, { readonly content: string }>>;
  readonly networks?: Readonly<Record<string, { ipam: { config: { subnet: string }[] } }>>;
}
const compose = (file: string): Compose => parse(readFileSync(file, "utf8"), { merge: true }) as Compose;

describe("the Dockerfile", () => {
  const environment = Object.fromEntries(
    (instructions("ENV", final)[0] ?? "").split(/\s+/).map((pair) => pair.split(/=(.*)/s).slice(0, 2)),
  ) as Record<string, string>;

  it("[OUR-OPS-07] sets variables that the service reads, to values that it takes", () => {
    const own = Object.keys(environment).filter((name) => name !== "NODE_ENV");
    expect(own.length).toBeGreaterThan(3);
    expect(own.filter((name) => !variables.has(name))).toEqual([]);
    const config = readConfig({ ...secret, ...environment });
    expect(config.host).toBe("0.0.0.0");
    expect(instructions("EXPOSE", final)).toEqual([String(config.port)]);
    const [data] = instructions("VOLUME", final);
    for (const path of [config.databaseUrl, `sqlite:${config.setUpCodeFile}`])
      expect(path.startsWith(`sqlite:${data}/`)).toBe(true);
  });

  it("[OUR-OPS-07] copies everything that runs, and runs it as another user than root", () => {
    const copied = instructions("COPY --from=build", final).flatMap((line) =>
      line
        .split(/\s+/)
        .slice(0, -1)
        .map((path) => path.replace("/build/", "")),
    );
    const packed = ["package.json", "LICENSE", "README.md", "node_modules", ...manifest.files]
      .filter((path) => !path.startsWith("!"))
      .map((path) => path.replace(/\/(?:\*\*.*|monitoring|operations)$/, ""));
    expect([...new Set(copied)].toSorted()).toEqual([...new Set(packed)].toSorted());
    for (const path of copied.filter((path) => path !== "node_modules"))
      expect(existsSync(path), path).toBe(true);
    const [entry] = instructions("ENTRYPOINT", final);
    expect(JSON.parse(entry ?? "")).toEqual(["node", manifest.bin.tickmark]);
    expect(instructions("CMD", final)).toEqual(['["serve"]']);
    const [user] = instructions("USER", final);
    expect(user).toBe("node");
    expect(final).toContain(
      `--owner=${user} --group=${user} --mode=0700 ${instructions("VOLUME", final)[0]}`,
    );
    for (const [, script = ""] of dockerfile.matchAll(/npm run (\w+)/g))
      expect(manifest.scripts).toHaveProperty(script);
    expect(dockerfile).toMatch(/HEALTHCHECK .*\/readyz/);
  });
});

describe("the compose files", () => {
  it.each(["compose.yaml", "compose.postgres.yaml"])(
    "[OUR-OPS-07] %s uses variables, volumes and networks that there are",
    (file) => {
      const { services, volumes, networks = {} } = compose(file);
      for (const { environment = {}, volumes: mounted = [], networks: joined = [] } of Object.values(
        services,
      )) {
        const own = Object.keys(environment).filter((name) => name.startsWith("TICKMARK_"));
        expect(own.filter((name) => !variables.has(name) && name !== "TICKMARK_DOMAIN")).toEqual([]);
        for (const volume of mounted) expect(volumes).toHaveProperty(volume.split(":")[0] ?? "");
        for (const network of joined) expect(networks).toHaveProperty(network);
      }
    },
  );

  it.each(["compose.yaml", "compose.postgres.yaml"])(
    "[OUR-OPS-12] %s limits the log of each container",
    (file) => {
      for (const [name, { logging }] of Object.entries(compose(file).services))
        expect([name, logging]).toEqual([
          name,
          { driver: "json-file", options: { "max-size": "10m", "max-file": "5" } },
        ]);
    },
  );

  it("[OUR-OPS-11] the service of compose.postgres.yaml signs in to PostgreSQL with a role of its own", () => {
    const { services, configs } = compose("compose.postgres.yaml");
    expect(services["one"]?.environment?.["TICKMARK_DATABASE_URL"]).toBe(
      "postgres://tickmark:${DATABASE_PASSWORD:?}@database:5432/tickmark",
    );
    const { environment = {}, configs: mounted } = services["database"] ?? {};
    expect(environment["POSTGRES_USER"] ?? "postgres").toBe("postgres");
    expect(mounted).toEqual([{ source: "role", target: "/docker-entrypoint-initdb.d/tickmark.sh" }]);
    // No password stands in the file.
    expect(Object.values(environment).every((value) => /^\$\{\w+:\?\}$/.test(value))).toBe(true);
    expect(configs?.["role"]?.content).toContain("NOSUPERUSER NOCREATEDB NOCREATEROLE");
  });

  eachDatabase(
    (databases) => {
      it("[OUR-OPS-11] the script makes a role that is no superuser and can bring its database up to date", async () => {
        const url = new URL(await databases.emptyUrl());
        const admin = new pg.Client({ connectionString: url.href });
        await admin.connect();
        const script = compose("compose.postgres.yaml").configs?.["role"]?.content ?? "";
        const [, statements = ""] = /<<'SQL'\n([\s\S]*?)\nSQL/.exec(script) ?? [];
        // The server of the tests may have such a role.
        const name = `tickmark_role_${process.pid}`;
        const own = statements.replaceAll(/\btickmark\b/g, name).replaceAll(":'password'", "'a password'");
        for (const statement of own.split("\n")) await admin.query(statement);
        const { rows } = await admin.query("SELECT rolsuper FROM pg_roles WHERE rolname = $1", [name]);
        expect(rows).toEqual([{ rolsuper: false }]);
        Object.assign(url, { username: name, password: "a password", pathname: `/${name}` });
        const database = await openDatabase(url.href, () => {});
        expect(await newestMigrationOf(database)).toBe(newestMigration());
        await database.close();
        await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
        await admin.query(`DROP ROLE ${name}`);
        await admin.end();
      });
    },
    ["PostgreSQL"],
  );

  it("[OUR-OPS-07] the service of each is built here, listens where its port leads, and its settings are taken", () => {
    const one = compose("compose.yaml").services["tickmark"];
    expect(one?.build).toBe(".");
    expect(one?.ports).toEqual(["127.0.0.1:8080:8080"]);
    expect(one?.command?.slice(0, 2)).toEqual(["serve", "--backup-dir"]);
    const { services, networks } = compose("compose.postgres.yaml");
    const filled = Object.fromEntries(
      Object.entries(services["two"]?.environment ?? {}).map(([name, value]) => [
        name,
        value.replaceAll(/\$\{(\w+):\?\}/g, (_, variable: string) =>
          variable === "TICKMARK_DOMAIN" ? "tickmark.example" : "0123456789abcdef",
        ),
      ]),
    );
    const config = readConfig(filled);
    expect(config.baseUrl).toBe("https://tickmark.example");
    expect(config.trustProxy).toEqual([networks?.["tickmark"]?.ipam.config[0]?.subnet]);
    expect(new URL(config.databaseUrl).hostname in services).toBe(true);
    expect(services["one"]?.environment).toEqual(services["two"]?.environment);
  });
});

describe("the unit of systemd", () => {
  const text = serviceUnitText({
    command: [process.execPath, "/opt/tickmark/dist/main.js", "serve"],
    user: "root",
  });

  it("[OUR-OPS-08] sets variables that the service reads, to values that it takes, below its own folder", () => {
    const settings = [...text.matchAll(/^Environment=(TICKMARK_\w+)=(.*)$/gm)].map(
      ([, name = "", value = ""]) => [name, value] as const,
    );
    expect(settings.length).toBeGreaterThan(1);
    expect(settings.filter(([name]) => !variables.has(name))).toEqual([]);
    const { databaseUrl, setUpCodeFile } = readConfig({ ...secret, ...Object.fromEntries(settings) });
    const folder = /^WorkingDirectory=(.*)$/m.exec(text)?.[1] ?? "none";
    expect(folder).toBe(`/var/lib/${/^StateDirectory=(.*)$/m.exec(text)?.[1]}`);
    expect(databaseUrl.startsWith(`sqlite:${folder}/`)).toBe(true);
    expect(setUpCodeFile?.startsWith(`${folder}/`)).toBe(true);
  });

  it.skipIf(!hasProgram("systemd-analyze", "--version"))(
    "[OUR-OPS-08] systemd finds nothing wrong in it",
    () => {
      const path = join(scratch, "tickmark.service");
      writeFileSync(path, text);
      const verified = spawnSync("systemd-analyze", ["verify", "--man=no", path], { encoding: "utf8" });
      const about = verified.stderr.split("\n").filter((line) => line.includes("tickmark.service"));
      expect(about).toEqual([]);
    },
  );

  it("[OUR-OPS-08] refuses a name that is no user's", () => {
    const args = ["dist/main.js", "unit", "--user", "a b"];
    expect(spawnSync(process.execPath, args, { encoding: "utf8" })).toMatchObject({ status: 2, stdout: "" });
  });
});
