/** Which folder may know which. The gate test/gates/boundaries.test.ts checks that this saw every module. */
const only = (name, from, to, pathNot) => ({
  name,
  severity: "error",
  from: { path: from, ...(pathNot && { pathNot }) },
  to: { path: "^(src|tools|resources)/", pathNot: to },
});

/** One owner a package: the few folders that may import it. */
const owned = (packageName, owners) => ({
  name: `only its owner imports ${packageName}`,
  severity: "error",
  from: { path: "^(src|tools|resources)/", pathNot: owners },
  to: { path: `(^|/)node_modules/${packageName}/` },
});

module.exports = {
  forbidden: [
    { name: "no cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "everything resolves",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    only("core knows only core", "^src/core/", "^src/core/"),
    {
      name: "core imports nothing but zod",
      severity: "error",
      from: { path: "^src/core/" },
      to: {
        dependencyTypes: ["core", "npm", "npm-dev", "npm-optional", "npm-peer"],
        pathNot: "(^|/)node_modules/zod/",
      },
    },
    only(
      "what a service owns for people and logs knows services, store and core",
      "^src/app/(access|logs)/",
      "^src/(app/(access|logs)|services|store|core)/",
    ),
    only("config knows core", "^src/app/config/", "^src/(app/config|core)/"),
    only(
      "contract knows what a service owns, services, store and core",
      "^src/contract/",
      "^src/(contract|app/(access|logs)|services|store|core)/",
    ),
    only(
      "endpoints know contract, services, store and core; the list of the API is that of the tools",
      "^src/endpoints/",
      "^src/(endpoints|contract|app/(access|logs)|services|store|core)/|^tools/registry\\.ts$",
    ),
    {
      name: "only the list of the API knows the tools",
      severity: "error",
      from: { path: "^src/endpoints/", pathNot: "^src/endpoints/api/registry\\.ts$" },
      to: { path: "^tools/" },
    },
    only(
      "actions know contract, services, store and core",
      "^src/actions/",
      "^src/(actions|contract|app/(access|logs)|services|store|core)/",
    ),
    {
      name: "only services and store know how a database is spoken to",
      severity: "error",
      from: { path: "^(src|tools|resources)/", pathNot: "^src/(store|services)/" },
      to: { path: "^src/store/engine/", pathNot: "^src/store/engine/(database|open-database|ping)\\.ts$" },
    },
    {
      name: "endpoints do not know one another's resources",
      severity: "error",
      from: { path: "^src/endpoints/(api/[^/]+|plugin|agent)/", pathNot: "registry\\.ts$" },
      to: { path: "^src/endpoints/", pathNot: "^src/endpoints/$1/" },
    },
    {
      name: "actions do not know one another's concepts",
      severity: "error",
      from: { path: "^src/actions/([^/]+)/" },
      to: { path: "^src/actions/[^/]+/", pathNot: "^src/actions/$1/" },
    },
    only("rest knows contract and core", "^src/rest/", "^src/(rest|contract|core)/"),
    only(
      "the dashboard knows contract, core, endpoints and actions",
      "^src/dashboard/",
      "^src/(dashboard|contract|app/access|core|endpoints|actions)/",
    ),
    only("scripts of browsers know only one another", "^src/dashboard/scripts/", "^src/dashboard/scripts/"),
    only(
      "oauth knows contract, services, store and core",
      "^src/oauth/",
      "^src/(oauth|contract|app/access|services|store|core)/",
    ),
    only("mcp knows contract, store and core", "^src/mcp/", "^src/(mcp|contract|app/access|store|core)/"),
    only("metrics know contract, store and core", "^src/metrics/", "^src/(metrics|contract|store|core)/"),
    only("documents know contract and core", "^src/documents/", "^src/(documents|contract|program|core)/"),
    only("services know store and core", "^src/services/", "^src/(services|store|core)/"),
    only("store knows core, and where the build put its thread", "^src/store/", "^src/(store|program|core)/"),
    only(
      "outbound knows core, and the interfaces it stands behind",
      "^src/outbound/",
      "^src/(outbound|core|contract|app/access)/",
    ),
    only(
      "the agent knows core, files of the kernel, and the plugin API it speaks",
      "^src/agent/",
      "^src/(agent|linux|core)/|^src/outbound/plugin-client\\.ts$",
    ),
    only(
      "bench knows core, files of the kernel, and what the agent reads of a game server",
      "^src/bench/",
      "^src/(bench|linux|core|agent|program)/",
    ),
    only("linux knows core", "^src/linux/", "^src/(linux|core)/"),
    only(
      "jobs know contract, services, store and core",
      "^src/jobs/",
      "^src/(jobs|contract|app/(access|logs)|services|store|core)/",
    ),
    only(
      "tools know the words' frame and the endpoints",
      "^tools/",
      "^(tools/|src/mcp/(catalogue/tool|result/wording)\\.ts|src/endpoints/)",
    ),
    only(
      "resources know their frame and the endpoints",
      "^resources/",
      "^(resources/|tools/|src/mcp/catalogue/(resource|prompt|suggestions)\\.ts|src/endpoints/)",
    ),
    {
      name: "only app, demo and cli see everything",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/main\\.ts$|^src/(app|cli|demo)/" },
      to: { path: "^src/(app/(config/|[^/]+\\.ts$)|cli/|demo/)" },
    },
    owned("(fastify|@fastify)", "^src/(rest/|dashboard/|oauth/|app/)"),
    owned("(preact|preact-render-to-string)", "^src/dashboard/"),
    owned("uplot", "^src/dashboard/scripts/"),
    owned("oidc-provider", "^src/oauth/"),
    owned("@modelcontextprotocol", "^src/mcp/"),
    owned("@resvg", "^src/mcp/"),
    owned("(better-sqlite3|pg|kysely)", "^src/store/"),
    owned("otpauth", "^src/app/access/"),
    owned("@simplewebauthn", "^src/app/access/"),
    owned("uqr", "^src/dashboard/"),
    owned("prom-client", "^src/metrics/"),
    owned("undici", "^src/(outbound|agent)/"),
    owned("yauzl", "^src/agent/software/"),
    owned("nodemailer", "^src/outbound/"),
    owned("(pino|pino-pretty)", "^src/(app|cli)/"),
    owned("commander", "^src/cli/"),
  ],
  options: {
    // What did not change is not read again: the gate asks what `npm run verify` has asked.
    cache: { folder: "node_modules/.cache/dependency-cruiser", strategy: "content" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "types", "default"],
    },
  },
};
