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

/** The words of a command line, with the token where its variable stands. */
const wordsOf = (line: string, token: string): string[] =>
  [...line.trim().matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) =>
    (quoted ?? bare ?? "").replaceAll("$TICKMARK_TOKEN", token),
  );

/** As `claude mcp add` reads its arguments: options among names, everything behind `--` the command. */
const claude: Reads = (text, token) => {
  const [program, noun, verb, ...words] = wordsOf(text, token);
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
  if (command !== undefined) return { command, args, env: pairs(given["--env"] ?? [], "=") };
  if (given["--transport"]?.[0] !== "http" || url === undefined) throw new Error("An address takes http.");
  return { url, headers: pairs(given["--header"] ?? [], ": ") };
};

const pairs = (texts: readonly string[], between: string): Record<string, string> =>
  Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(between);
      return [text.slice(0, at), text.slice(at + between.length)];
    }),
  );

/** The clients of the guide by its headings, with the language of what is pasted. */
export const clients: Readonly<Record<string, { readonly language: string; readonly reads: Reads }>> = {
  "Claude Code": { language: "sh", reads: claude },
  Codex: { language: "toml", reads: codex },
  Cursor: { language: "json", reads: cursor },
  "VS Code": { language: "json", reads: vscode },
  "Gemini CLI": { language: "json", reads: gemini },
};
