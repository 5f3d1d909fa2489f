import type { z } from "zod";
import { codeLength, ownerLength, type ProfileDocument } from "../profile/document.ts";
import { keptText } from "./kept-text.ts";
import type { SparkServer } from "./spark-metadata.ts";
import type { SparkMethod } from "./spark-tree.ts";

/** Sources that count as the server: the game, Java, server software and mod loaders. */
const serverSources = new Set(
  "minecraft java neoforge forge fabricloader fabric-loader fabric_loader quilt_loader bukkit craftbukkit spigot paper \
purpur pufferfish folia leaves leaf sponge spongevanilla spongeforge velocity bungeecord waterfall".split(
    " ",
  ),
);

/** The profiler counts as no plugin: its share is the cost of measuring. */
const profilerSource = "spark";

export interface SparkOwner {
  /** `server` for the server's own code. */
  readonly name: string;
  readonly plugin: boolean;
}

/** The owner for a source's id; if the file does not list the source, the id is its name. */
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

/** Sorted names of plugins and mods; null if the file lists no source. */
export function pluginNames(server: SparkServer): string[] | null {
  if (server.sources.size === 0) return null;
  const owners = Array.from(server.sources.keys(), (id) => ownerOfSource(server, id));
  const added = owners.filter(({ name, plugin }) => plugin || name === profilerSource);
  const names = new Set(added.map(({ name }) => name));
  return [...names].toSorted();
}

/** Native libraries, which belong to no plugin: `native`, `libc.so.6`. */
const machineCode = /^native$|\.(?:so|dll|dylib)(?:\.\d+){0,4}$/i;

/** The path of a library can reveal who runs the server, so only its name is kept. */
const filePath = /^(?:\/|[A-Z]:[\\/]).*[\\/]/is;

type Frame = z.input<typeof ProfileDocument>["frames"][number];

/**
 * Frames in the order of the methods. The owner is the listed source of the class or, for a lambda or nested
 * class, of the class around it; without one it is left out, and the class name decides later.
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
