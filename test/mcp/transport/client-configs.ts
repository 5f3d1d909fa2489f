/** How a client was told to reach the connector: over HTTP, or as a command to start. */
export type Entry =
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> }
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    };

type Table = { [name: string]: unknown };

/** One client's way to read what its users paste. */
type Reads = (text: string, token: string) => Entry;

const within = (value: unknown, ...names: string[]): Table =>
  names.reduce<Table>((table, name) => {
    const inner = table[name];
    if (typeof inner !== "object" || inner === null) throw new Error(`There is no ${name}.`);
    return inner as Table;
  }, value as Table);

/** Writes the token where the client's own placeholder for it stands. */
const expanded = (value: unknown, placeholder: string, token: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries((value ?? {}) as Table).map(([name, text]) => [
      name,
      String(text).replaceAll(placeholder, token),
    ]),
  );

function jsonEntry(server: Table, urlName: string, placeholder: string, token: string): Entry {
  const { [urlName]: url, headers, command, args, env, type, ...rest } = server;
  if (Object.keys(rest).length > 0) throw new Error(`No client takes ${Object.keys(rest).join(", ")}.`);
  if (type !== undefined && type !== (url === undefined ? "stdio" : "http"))
    throw new Error(`The type ${String(type)} is wrong.`);
  if (typeof url === "string") return { url, headers: expanded(headers, placeholder, token) };
  return { command: String(command), args: args as string[], env: expanded(env, placeholder, token) };
}

const cursor: Reads = (text, token) =>
  jsonEntry(within(JSON.parse(text), "mcpServers", "tickmark"), "url", "${env:TICKMARK_TOKEN}", token);

const gemini: Reads = (text, token) =>
  jsonEntry(within(JSON.parse(text), "mcpServers", "tickmark"), "httpUrl", "$TICKMARK_TOKEN", token);

const vscode: Reads = (text, token) => {
  const { inputs } = JSON.parse(text) as { inputs: { type: string; id: string; password: boolean }[] };
  const [input] = inputs;
  if (input?.type !== "promptString" || !input.password)
    throw new Error("The token is typed where it shows.");
  return jsonEntry(within(JSON.parse(text), "servers", "tickmark"), "url", `\${input:${input.id}}`, token);
};

/** The little of TOML that stands there: tables, and values that are JSON too. */
function tomlTables(text: string): Readonly<Record<string, Table>> {
  const tables: Record<string, Table> = {};
  let table: Table = {};
  for (const line of text.split("\n").filter((line) => line.trim() !== "")) {
    const [, head] = /^\[([\w.]+)\]$/.exec(line) ?? [];
    const [, key = "", value = ""] = /^(\w+) = (.+)$/.exec(line) ?? [];
    if (head !== undefined) table = tables[head] = {};
    else table[key] = JSON.parse(value);
  }
  return tables;
}

const codex: Reads = (text, token) => {
  const tables = tomlTables(text);
  const { url, bearer_token_env_var, command, args, env_vars, ...rest } = within(
    tables,
    "mcp_servers.tickmark",
  );
  if (Object.keys(rest).length > 0) throw new Error(`Codex takes no ${Object.keys(rest).join(", ")}.`);
  const environment: Record<string, string> = { TICKMARK_TOKEN: token };
  if (typeof url === "string")
    return { url, headers: { Authorization: `Bearer ${environment[String(bearer_token_env_var)]}` } };
  const passed = (env_vars as string[]).map((name) => [name, environment[name] ?? ""] as const);
  const set = tables["mcp_servers.tickmark.env"] as Record<string, string>;
  return { command: String(command), args: args as string[], env: { ...Object.fromEntries(passed), ...set } };
};

/** The words that a shell makes of a line: it leaves what stands in single quotes as it is, and fills in variables elsewhere. */
const wordsOf = (line: string, token: string): string[] =>
  [...line.trim().matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) =>
      single ?? (double ?? bare ?? "").replaceAll(/\$\{?TICKMARK_TOKEN\}?/g, token),
  );

/**
 * As `claude mcp add` reads its arguments: options among names, everything behind `--` the command. What it is given
 * it writes to a file; `${…}` in there is filled in at each start.
 */
const claude: Reads = (text, token) => {
  const [program, noun, verb, ...words] = wordsOf(text, token);
  if (words.some((word) => word.includes(token))) throw new Error("The token is written to a file.");
  if (`${program} ${noun} ${verb}` !== "claude mcp add") throw new Error("This is another command.");
  const [options, behind] = words.includes("--")
    ? [words.slice(0, words.indexOf("--")), words.slice(words.indexOf("--") + 1)]
    : [words, []];
  const names: string[] = [];
  const given: Record<string, string[]> = {};
  for (let at = 0; at < options.length; at += 1) {
    const word = options[at] ?? "";
    if (word.startsWith("--")) (given[word] ??= []).push(options[(at += 1)] ?? "");
    else names.push(word);
  }
  const [name, url] = names;
  if (name !== "tickmark") throw new Error(`The server is called ${name}.`);
  const [command, ...args] = behind;
  const filled = (texts: readonly string[] = [], between: string): Readonly<Record<string, string>> =>
    expanded(pairs(texts, between), "${TICKMARK_TOKEN}", token);
  if (command !== undefined) return { command, args, env: filled(given["--env"], "=") };
  if (given["--transport"]?.[0] !== "http" || url === undefined) throw new Error("An address takes http.");
  return { url, headers: filled(given["--header"], ": ") };
};

const pairs = (texts: readonly string[], between: string): Record<string, string> =>
  Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(between);
      return [text.slice(0, at), text.slice(at + between.length)];
    }),
  );

/** What somebody replaces by the token where a client reads no variable. */
const written = "tkm_…";

const claudeDesktop: Reads = (text, token) =>
  jsonEntry(within(JSON.parse(text), "mcpServers", "tickmark"), "url", written, token);

const windsurf: Reads = (text, token) =>
  jsonEntry(within(JSON.parse(text), "mcpServers", "tickmark"), "serverUrl", "${env:TICKMARK_TOKEN}", token);

const zed: Reads = (text, token) =>
  jsonEntry(within(JSON.parse(text), "context_servers", "tickmark"), "url", written, token);

const opencode: Reads = (text, token) => {
  const { type, command, environment, ...rest } = within(JSON.parse(text), "mcp", "tickmark");
  if (type !== (command === undefined ? "remote" : "local"))
    throw new Error(`The type ${String(type)} is wrong.`);
  const placeholder = "{env:TICKMARK_TOKEN}";
  if (command === undefined) return jsonEntry(rest, "url", placeholder, token);
  const [program, ...args] = command as string[];
  return jsonEntry({ ...rest, command: program, args, env: environment }, "url", placeholder, token);
};

interface GuidedClient {
  readonly language: string;
  readonly reads: Reads;
  readonly ways: readonly ("HTTP" | "stdio")[];
}

const both = ["HTTP", "stdio"] as const;

/** The clients of the guide by its headings, with the language and the ways of what is pasted. */
export const clients: Readonly<Record<string, GuidedClient>> = {
  "Claude Code": { language: "sh", reads: claude, ways: both },
  "Claude Desktop": { language: "json", reads: claudeDesktop, ways: ["stdio"] },
  Codex: { language: "toml", reads: codex, ways: both },
  Cursor: { language: "json", reads: cursor, ways: both },
  "VS Code": { language: "json", reads: vscode, ways: both },
  "Gemini CLI": { language: "json", reads: gemini, ways: both },
  opencode: { language: "json", reads: opencode, ways: both },
  Windsurf: { language: "json", reads: windsurf, ways: both },
  Zed: { language: "json", reads: zed, ways: both },
};
