import { join } from "node:path";
import { nullIfClosed } from "../../core/failure-code.ts";
import type { EventBody } from "../../outbound/plugin-client.ts";
import { isBehindLink } from "../software/behind-link.ts";
import { plainBytes } from "../files/plain-file.ts";
import { harmless } from "./log-events.ts";

/** What a crash report says of the cause; each text is of other people. */
export interface CrashReport {
  readonly description: string | null;
  readonly exception: string | null;
  /** The innermost calls. */
  readonly frames: readonly string[];
  /** The title of the part that tells what the game was doing, such as `Entity being ticked`. */
  readonly section: string | null;
  /** Mods and plugins that the report suspects, or whose code its exception went through. */
  readonly suspects: readonly string[];
}

const folder = "crash-reports";
/** Reports of the largest modpacks have less, bytes. */
const largestReport = 4 * 1024 * 1024;
const [mostSuspects, mostFrames, mostFramesLooked, longestText, longestName] = [5, 5, 200, 200, 64] as const;

const frameLine = /^\s+at ([\w.$/<>@%~-]{1,300}\([^)]{0,120}\))(?: ~?\[([^\]]{1,200})\])?/;
const thrownLine = /^(?:[\w$]{1,60}\.){1,12}[\w$]{1,80}(?:: .*)?$/;
const sectionLine = /^-- (.{1,80}) --$/;
/** These parts are in every report. */
const usualSections =
  /^(?:Head|Affected level|Affected screen|System Details|Last reload|Uptime|Initialization|Manual crash details)$/;
const suspectsLine = /^\s*Suspected Mods?:(.*)$/;
const namedMod = /^([^,()]{1,80}?) \(([\w.-]{1,64})\)/;
const noSuspects = /^(?:NONE|Unknown|None found)\b/i;
/** The block or entity at work: `pipez:energy_pipe // class`. */
const atWork = /^\s+(?:Name|Entity Type|Block): (?:Block\{)?([a-z0-9_.-]{1,64}):/;

/** Jars and modules of the game, its loaders and its server are in every stack. */
const platformJar =
  /^(?:\?|(?:securejar|bootstrap|modlauncher|eventbus|accesstransformer|javafml|lowcode|fml|mixin)|(?:main|app|client|server|java|jdk|minecraft|forge|neoforge|loader|spongepowered|fabric-loader|quilt-loader|intermediary|paper|purpur|spigot|craftbukkit|folia|pufferfish|leaves|patched|mojang|netty|guava|datafixerupper|brigadier|authlib|log4j|fastutil|velocity|waterfall|bungeecord)(?:[._+-]|universal|server|api|core|loader|language|\d|$))/i;
/** The packages of the same. */
const platformPackage =
  /^(?:java|javax|jdk|sun|kotlin|scala|net\.minecraft|net\.minecraftforge|net\.neoforged|net\.fabricmc|org\.quiltmc|cpw\.mods|com\.mojang|io\.papermc|org\.bukkit|org\.spigotmc|com\.destroystokyo|org\.purpurmc|io\.netty|it\.unimi|com\.google|org\.apache|org\.spongepowered|org\.objectweb)\./;
/** The class loader of Forge names the mod of a class. */
const moduleOf = /^TRANSFORMER\/([\w.-]{1,64})@/;
const packageOf = /^((?:[a-z_][a-z0-9_]{0,40}\.){2,4})/;

const clean = (text: string, longest: number): string => harmless(text.trim(), longest);

/** `examplemod-1.0.jar%23123!/:1.0` and `pipez:1.16.5` are examplemod-1.0 and pipez; null for the game's own. */
function jarOf(annotation: string): string | null {
  const name = (annotation.split(/[:!%]/, 1)[0] ?? "").replace(/\.jar$/, "");
  return name === "" || platformJar.test(name) ? null : name;
}

class ReportReader {
  description: string | null = null;
  exception: string | null = null;
  section: string | null = null;
  readonly frames: string[] = [];
  readonly named = new Set<string>();
  readonly atWork = new Set<string>();
  readonly jars = new Set<string>();
  readonly packages = new Set<string>();
  #isListing = false;
  #looked = 0;
  /** The first stack trace is over. */
  #isBehind = false;
  /** Calls outside the game's entry are those of launchers. */
  #isOutside = false;

  take(line: string): void {
    if (line.startsWith("A detailed walkthrough") || line.startsWith("-- ")) this.#isBehind = true;
    if (this.#isListing && this.#takeSuspect(line)) return;
    this.#isListing = false;
    const suspects = suspectsLine.exec(line)?.[1];
    if (suspects !== undefined) return this.#beginSuspects(suspects.trim());
    if (line.startsWith("Description: ")) this.description ??= line.slice(13);
    else if (line.startsWith("-- ")) this.#takeSection(sectionLine.exec(line)?.[1] ?? "");
    else if (this.section !== null) this.#takeAtWork(line);
    else if (!/^\s/.test(line)) this.#takeThrown(line);
    if (/^\s+at /.test(line)) this.#takeFrame(line);
  }

  #takeThrown(line: string): void {
    if (line.startsWith("Caused by: ")) this.#isOutside = false;
    if (this.exception === null && thrownLine.test(line)) this.exception = line;
  }

  #takeSection(title: string): void {
    if (title !== "" && !usualSections.test(title)) this.section ??= title;
  }

  #takeAtWork(line: string): void {
    const space = atWork.exec(line)?.[1];
    if (space !== undefined && space !== "minecraft") this.atWork.add(space);
  }

  #takeFrame(line: string): void {
    this.#looked += 1;
    const [, call, annotation] = frameLine.exec(line) ?? [];
    if (call === undefined || this.exception === null || this.#looked > mostFramesLooked) return;
    if (this.frames.length < mostFrames && !this.#isBehind) this.frames.push(call);
    if (this.#isOutside) return;
    this.#isOutside = call.includes(".main(");
    const jar = moduleOf.exec(call)?.[1] ?? jarOf(annotation ?? "");
    if (jar !== null && !platformJar.test(jar)) this.jars.add(jar);
    const name = call.slice(call.lastIndexOf("/", call.indexOf("(")) + 1);
    const [, packages] = platformPackage.test(name) ? [] : (packageOf.exec(name) ?? []);
    if (packages !== undefined) this.packages.add(packages.slice(0, -1));
  }

  #beginSuspects(text: string): void {
    this.#isListing = text === "";
    if (noSuspects.test(text)) return;
    for (const part of text.split(/, (?=[^,()]{1,80} \()/)) this.#takeSuspect(part);
  }

  /** False for a line that is no longer of the list. */
  #takeSuspect(line: string): boolean {
    const [, name, id] = namedMod.exec(line.trim()) ?? [];
    if (name !== undefined && id !== undefined && !line.trim().startsWith("at ")) {
      this.named.add(`${name} (${id})`);
      return true;
    }
    return /^\t\t| {8}/.test(line);
  }

  /** What the report itself names, else whose block, jar or package it was. */
  get suspects(): readonly string[] {
    const found = [...this.atWork, ...this.jars];
    const known = this.named.size > 0 ? [...this.named] : found.length > 0 ? found : [...this.packages];
    const all: string[] = [];
    for (const name of known.map((each) => clean(each, longestName)))
      if (!all.some((other) => letters(name).startsWith(letters(other)))) all.push(name);
    return all.slice(0, mostSuspects);
  }
}

/** `village-employment-1.5.1` is `village_employment`. */
const letters = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/** Reads a report as the game, its loaders and their mods write it; null for any other text. */
export function crashReportIn(text: string): CrashReport | null {
  if (!text.includes("---- Minecraft Crash Report ----")) return null;
  const reader = new ReportReader();
  for (const line of text.split("\n")) reader.take(line.slice(0, 1000).trimEnd());
  const { description, exception, section, frames, suspects } = reader;
  return {
    description: description === null ? null : clean(description, longestText),
    exception: exception === null ? null : clean(exception, longestText),
    frames: frames.map((frame) => clean(frame, longestText)),
    section: section === null ? null : clean(section, longestText),
    suspects,
  };
}

/** Null if there is no such report, or it lies behind a link or is closed to this user. */
async function reportAt(directory: string, name: string): Promise<CrashReport | null> {
  const path = join(folder, name);
  if (await isBehindLink(directory, path)) return null;
  const bytes = await plainBytes(join(directory, path), largestReport).catch(nullIfClosed);
  return bytes === null ? null : crashReportIn(bytes.toString("utf8"));
}

const reportName = (metadata: EventBody["metadata"]): string | null => {
  const name = (metadata as { readonly crash_report?: unknown } | null | undefined)?.crash_report;
  return typeof name === "string" && /^[\w.-]{1,100}\.txt$/.test(name) ? name : null;
};

/** Adds what its crash report says to each event that names one. A report that cannot be read now adds nothing. */
export async function withCrashReports(
  events: readonly EventBody[],
  directory: string,
): Promise<readonly EventBody[]> {
  const all: EventBody[] = [];
  for (const event of events) {
    const name = reportName(event.metadata);
    const report = name === null ? null : await reportAt(directory, name).catch(() => null);
    all.push(
      report === null ? event : { ...event, metadata: { ...(event.metadata as object), ...said(report) } },
    );
  }
  return all;
}

/** Only what the report has. */
const said = ({ description, exception, frames, section, suspects }: CrashReport): object => ({
  ...(description !== null && { description }),
  ...(exception !== null && { exception }),
  ...(frames.length > 0 && { frames }),
  ...(section !== null && { section }),
  ...(suspects.length > 0 && { suspects }),
});
