import type { z } from "zod";
import { codeLength, ownerLength, type ProfileDocument } from "../profile/document.ts";
import { keptText } from "./kept-text.ts";
import type { SparkServer } from "./spark-metadata.ts";
import type { SparkMethod } from "./spark-tree.ts";

/** Sources that are the server, not something added to it: the game, Java, server software and mod loaders. */
const serverSources = new Set(
  "minecraft java neoforge forge fabricloader fabric-loader fabric_loader quilt_loader bukkit craftbukkit spigot paper \
purpur pufferfish folia leaves leaf sponge spongevanilla spongeforge velocity bungeecord waterfall".split(
    " ",
  ),
);

/** The profiler is nobody's plugin: its own share is the price of measuring. */
const profilerSource = "spark";

export interface SparkOwner {
  /** `server` for the server's own code. */
  readonly name: string;
  readonly plugin: boolean;
}

/** Who the source of that id is: the name it shows, or its id where the file lists no such source. */
export function ownerOfSource(server: SparkServer, id: string): SparkOwner {
  const lower = id.toLowerCase();
  const source = server.sources.get(id) ?? server.sources.get(lower);
  const isServer =
    source?.builtin === true || serverSources.has(lower) || lower === server.platformName.toLowerCase();
  if (isServer) return { name: "server", plugin: false };
  if (lower === profilerSource) return { name: profilerSource, plugin: false };
  const name = source?.name === undefined || source.name === "" ? id : source.name;
  return { name: keptText(name, ownerLength), plugin: true };
}

/** Names of what is installed beside the server, in their order; null where the file lists nothing. */
export function pluginNames(server: SparkServer): string[] | null {
  if (server.sources.size === 0) return null;
  const owners = Array.from(server.sources.keys(), (id) => ownerOfSource(server, id));
  const added = owners.filter(({ name, plugin }) => plugin || name === profilerSource);
  const names = new Set(added.map(({ name }) => name));
  return [...names].toSorted();
}

/** Libraries of machine code and what runs in them: `native`, `libc.so.6`. They belong to no plugin. */
const machineCode = /^native$|\.(?:so|dll|dylib)(?:\.\d+){0,4}$/i;

/** Where a library lies tells who runs the server; its name is enough. */
const filePath = /^(?:\/|[A-Z]:[\\/]).*[\\/]/is;

type Frame = z.input<typeof ProfileDocument>["frames"][number];

/**
 * Methods as the frames of a profile, in their order. A class belongs to the source the file gives for it or, a lambda
 * or nested class it does not list, for the class around it; else its owner is taken from its name.
 */
export function sparkFrames(
  methods: readonly SparkMethod[],
  classSources: ReadonlyMap<string, string>,
  server: SparkServer,
): Frame[] {
  const owners = new Map<string, SparkOwner>();
  const ownerOf = (className: string): SparkOwner | null => {
    const source = classSources.get(className) ?? classSources.get(className.split("$", 1)[0] ?? "");
    if (source === undefined || source === "" || machineCode.test(className)) return null;
    const owner = owners.get(source) ?? ownerOfSource(server, source);
    owners.set(source, owner);
    return owner;
  };
  return methods.map(({ className, methodName }) => {
    const place = className === "native" ? methodName.replace(filePath, "") : methodName;
    const frame = [className, place].filter((part) => part !== "").join(".");
    if (frame === "") return { frame: null };
    const owner = ownerOf(className);
    const named = { frame: keptText(frame, codeLength) };
    return owner ? { ...named, owner: owner.name, plugin: owner.plugin } : named;
  });
}
