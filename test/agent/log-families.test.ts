import { describe, expect, it } from "vitest";
import { logReader } from "../../src/agent/sources/log-reader.ts";
import { logStory } from "../../src/agent/sources/log-story.ts";

const writtenAt = Date.UTC(2026, 10, 20, 12);

/** What a log tells that stands there for so long since, ms. */
function readingOf(lines: readonly string[], forMs = 60_000) {
  const reader = logReader();
  for (const line of lines) reader.take(line);
  const story = logStory();
  for (const found of reader.found(writtenAt, writtenAt + forMs)) story.take(found);
  return story.reading("now");
}
const eventsOf = (lines: readonly string[], forMs?: number): string[] =>
  (readingOf(lines, forMs).events ?? []).map(({ type, title }) => `${type}: ${title}`);

const forge = (thread: string, logger: string, message: string): string =>
  `[20Nov2026 12:00:00.000] [${thread}] [${logger}]: ${message}`;
const running = [
  forge("Server thread/INFO", "minecraft/DedicatedServer", "Starting minecraft server version 1.20.1"),
  forge("Server thread/INFO", "minecraft/DedicatedServer", 'Done (3.0s)! For help, type "help"'),
];
const preparing = forge(
  "Server thread/FATAL",
  "net.minecraftforge.common.ForgeMod/",
  "Preparing crash report with UUID 22d89adc-ba31-4ba5-ad6c-d7e895926c32",
);

describe("Forge and NeoForge", () => {
  const threw = [
    forge(
      "Server thread/ERROR",
      "net.minecraft.server.MinecraftServer/",
      "Encountered an unexpected exception",
    ),
    "java.lang.OutOfMemoryError: Java heap space",
  ];

  it("[OUR-AGG-35] a server that does not get past preparing its crash report has crashed", () => {
    expect(eventsOf([...running, ...threw, preparing])).toEqual([
      "server_start: Server started in 3 s",
      "out_of_memory: Out of memory: Java heap space",
      "server_crash: Server crashed: java.lang.OutOfMemoryError: Java heap space",
    ]);
    // A moment later its report may be there, with its name.
    expect(eventsOf([...running, ...threw, preparing], 2000)).toHaveLength(2);
    const saved = forge(
      "Server thread/ERROR",
      "net.minecraft.server.MinecraftServer/",
      "This crash report has been saved to: /srv/crash-reports/crash-1-server.txt",
    );
    expect(readingOf([...running, ...threw, preparing, saved]).events?.at(-1)).toMatchObject({
      type: "server_crash",
      metadata: { crash_report: "crash-1-server.txt" },
    });
  });

  it("[OUR-AGG-35] a report on request, after which the server goes on, is no crash", () => {
    const goesOn = forge(
      "Server thread/INFO",
      "net.minecraft.server.MinecraftServer/",
      "Tick profiling ended",
    );
    expect(eventsOf([...running, preparing, goesOn])).toEqual(["server_start: Server started in 3 s"]);
  });

  it.each<[string, readonly string[], string]>([
    [
      "a mod that is missing its own, Forge 1.20",
      [
        forge("main/FATAL", "net.minecraftforge.fml.ModLoader/CORE", "Error during pre-loading phase"),
        "net.minecraftforge.fml.ModLoadingException: Mod File a.jar needs language provider javafml:48 or above",
      ],
      "errors of mods while loading: a.jar needs language provider javafml:48 or above",
    ],
    [
      "a lifecycle that failed, and nothing after it",
      [
        forge(
          "modloading-worker-0/FATAL",
          "net.minecraftforge.fml.ModLoader/LOADING",
          "Failed to complete lifecycle event CONSTRUCT, 1 errors found",
        ),
      ],
      "errors of mods while loading",
    ],
    [
      "dependencies, NeoForge",
      [
        forge(
          "main/ERROR",
          "net.neoforged.fml.loading.ModSorter/LOADING",
          "Missing or unsupported mandatory dependencies:",
        ),
        "\tMod ID: 'jei', Requested by: 'a', Expected range: '[15,)', Actual version: '[MISSING]'",
      ],
      "mods lack what they depend on: a requires jei [15,), which is missing",
    ],
    [
      "the same mod twice",
      [
        forge(
          "main/ERROR",
          "net.minecraftforge.fml.loading.moddiscovery.ModDiscoverer/SCAN",
          "Failed to build unique mod list after mod discovery.",
        ),
      ],
      "a mod is there more than once",
    ],
    [
      "a report of the loader",
      [
        forge(
          "main/FATAL",
          "net.minecraftforge.server.loading.ServerModLoader/",
          "Crash report saved to ./crash-reports/crash-1-fml.txt",
        ),
        forge("main/ERROR", "net.minecraft.server.Main/FATAL", "Failed to start the minecraft server"),
        "net.minecraftforge.fml.LoadingFailedException: Loading errors encountered: [",
      ],
      "errors of mods while loading",
    ],
  ])("[OUR-AGG-35] not loaded is not crashed: %s", (_name, lines, why) => {
    expect(eventsOf(lines)).toEqual([`server_start_failed: Server could not start: ${why}`]);
  });
});

describe("proxies", () => {
  it.each<[string, readonly string[], Readonly<Record<string, string>>]>([
    [
      "Velocity's file",
      [
        "[12:00:00] [main/INFO]: Booting up Velocity 3.5.1 (git-abc-b500)...",
        "[12:00:01] [main/INFO]: Done (1.43s)!",
        "[12:00:01] [Netty epoll Boss #0/INFO]: Listening on /[0:0:0:0:0:0:0:0]:25577",
        "[12:10:00] [Thread-3/INFO]: Shutting down the proxy...",
      ],
      { proxy: "Velocity", proxy_version: "3.5.1 (git-abc-b500)" },
    ],
    [
      "Velocity's console",
      [
        "[12:00:00 INFO]: Booting up Velocity 3.5.1...",
        "[12:00:01 INFO]: Done (1.43s)!",
        "[12:00:09 INFO]: [connected player] Eve (/203.0.113.7:51234) has connected",
        "[12:10:00 INFO]: Shutting down the proxy...",
      ],
      { proxy: "Velocity", proxy_version: "3.5.1" },
    ],
    [
      "BungeeCord",
      [
        "12:00:00 [INFO] Enabled BungeeCord version git:BungeeCord-Bootstrap:1.21-R0.1-SNAPSHOT:9a8b7c6:1900",
        "12:00:01 [INFO] Listening on /0.0.0.0:25577",
        "12:00:01 [INFO] Listening on /0.0.0.0:25578",
        "12:00:09 [INFO] [Eve] disconnected with: Closing pending connections",
        "12:10:00 [INFO] Closing pending connections",
        "12:10:00 [INFO] Thank you and goodbye",
      ],
      { proxy: "BungeeCord", proxy_version: "git:BungeeCord-Bootstrap:1.21-R0.1-SNAPSHOT:9a8b7c6:1900" },
    ],
    [
      "Waterfall",
      [
        "[12:00:00] [main/INFO]: Enabled Waterfall version git:Waterfall-Bootstrap:1.21-R0.1-SNAPSHOT:93773f9:590",
        "[12:00:01] [Netty Boss IO Thread #0/INFO]: Listening on /0.0.0.0:25577",
        "[12:10:00] [Shutdown Thread/INFO]: Closing pending connections",
      ],
      { proxy: "Waterfall", proxy_version: "git:Waterfall-Bootstrap:1.21-R0.1-SNAPSHOT:93773f9:590" },
    ],
  ])("[OUR-AGG-36] start, version and stop of %s", (_name, lines, metadata) => {
    const { events = [], announced } = readingOf(lines);
    expect(events.map(({ type }) => type)).toEqual(["server_start", "server_stop"]);
    expect(events[0]?.metadata).toEqual(metadata);
    expect(announced?.what).toBe("stopping");
  });

  it("[OUR-AGG-36] a game server's plugin that listens is no start", () => {
    const lines = [
      "[12:00:00] [Server thread/INFO]: Starting minecraft server version 1.21.8",
      "[12:00:01] [Server thread/INFO]: Listening on /0.0.0.0:8123",
    ];
    expect(eventsOf(lines)).toEqual([]);
  });
});
