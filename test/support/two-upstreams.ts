import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A proxy of the distribution in front of two processes, configured as the guide says under "Several processes". */
export interface TwoUpstreams {
  readonly program: "caddy" | "nginx";
  readonly versionArgument: string;
  /** Writes the configuration for these ports into a folder of its own; how to run it. */
  prepare(
    folder: string,
    proxy: number,
    upstreams: readonly [number, number],
  ): { args: string[]; environment: Record<string, string> };
}

const guide = readFileSync("resources/guides/proxy.md", "utf8").split("## Several processes")[1] ?? "";
/** What the guide tells to set `TICKMARK_DRAIN_SECONDS` to. */
export const drainSecondsOfGuide = /TICKMARK_DRAIN_SECONDS=(\d+)/.exec(guide)?.[1] ?? "";

const block = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(guide)?.[1] ?? "";

const withPorts = (text: string, [one, two]: readonly [number, number]): string =>
  text.replace("127.0.0.1:8080", `127.0.0.1:${one}`).replace("127.0.0.1:8081", `127.0.0.1:${two}`);

export const caddyOfGuide: TwoUpstreams = {
  program: "caddy",
  versionArgument: "version",
  prepare: (folder, proxy, upstreams) => {
    const file = join(folder, "Caddyfile");
    const site = withPorts(block("caddy"), upstreams).replace(
      "tickmark.example",
      `http://127.0.0.1:${proxy}`,
    );
    writeFileSync(file, `{\n\tadmin off\n}\n${site}`);
    return {
      args: ["run", "--config", file, "--adapter", "caddyfile"],
      environment: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    };
  },
};

export const nginxOfGuide: TwoUpstreams = {
  program: "nginx",
  versionArgument: "-v",
  prepare: (folder, proxy, upstreams) => {
    const file = join(folder, "nginx.conf");
    const site = withPorts(block("nginx"), upstreams)
      .replace("listen 443 ssl", `listen 127.0.0.1:${proxy}`)
      .replaceAll(/^ +ssl_certificate.*\n/gm, "");
    const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => {
      mkdirSync(join(folder, name));
      return `${name}_temp_path ${join(folder, name)};`;
    });
    writeFileSync(
      file,
      `daemon off; master_process off; pid ${join(folder, "nginx.pid")}; error_log stderr;
events { worker_connections 1024; }
http { access_log off; ${folders.join(" ")}
${site} }`,
    );
    return { args: ["-c", file, "-p", folder, "-e", "stderr"], environment: {} };
  },
};
