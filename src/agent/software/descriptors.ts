import { lenientJson } from "../../core/lenient-json.ts";
import { z } from "zod";
import { tomlStrings } from "./toml-strings.ts";
import { yamlScalars } from "./yaml-scalars.ts";

export interface Described {
  readonly name: string | null;
  readonly version: string | null;
}

type Reader = (text: string) => Described;

const yaml: Reader = (text) => {
  const values = yamlScalars(text);
  return { name: values.get("name") ?? null, version: values.get("version") ?? null };
};

const toml: Reader = (text) => {
  const values = tomlStrings(text, "mods");
  return {
    name: values.get("displayName") ?? values.get("modId") ?? null,
    version: values.get("version") ?? null,
  };
};

const Text = z.string().nullable().catch(null);
const Flat = z.object({ id: Text, modid: Text, name: Text, version: Text });
const Quilt = z.object({
  quilt_loader: z.object({
    id: Text,
    version: Text,
    metadata: z.object({ name: Text }).catch({ name: null }),
  }),
});
const ForgeInfo = z.union([
  z.array(Flat).min(1),
  z.object({ modList: z.array(Flat).min(1) }).transform(({ modList }) => modList),
]);

const unknown: Described = { name: null, version: null };

/** JSON that does not match the schema gives nothing. */
const json =
  <T>(schema: z.ZodType<T>, describe: (value: T) => Described): Reader =>
  (text) => {
    const { success, data } = schema.safeParse(lenientJson(text));
    return success ? describe(data) : unknown;
  };

const flat = json(Flat, ({ id, name, version }) => ({ name: name ?? id, version }));

/** Mods of Forge can refer to the version in the manifest. */
export const manifestName = "META-INF/MANIFEST.MF";

/** In order of preference. */
export const pluginDescriptors: ReadonlyMap<string, Reader> = new Map([
  ["paper-plugin.yml", yaml],
  ["plugin.yml", yaml],
  ["bungee.yml", yaml],
  ["velocity-plugin.json", flat],
]);

/** In order of preference. */
export const modDescriptors: ReadonlyMap<string, Reader> = new Map([
  ["fabric.mod.json", flat],
  [
    "quilt.mod.json",
    json(Quilt, ({ quilt_loader: { id, version, metadata } }) => ({ name: metadata.name ?? id, version })),
  ],
  ["META-INF/neoforge.mods.toml", toml],
  ["META-INF/mods.toml", toml],
  [
    "mcmod.info",
    json(ForgeInfo, ([first]) =>
      first ? { name: first.name ?? first.modid, version: first.version } : unknown,
    ),
  ],
]);

/** A line that begins with a space continues the one before. */
export function manifestVersion(text: string): string | null {
  const key = "Implementation-Version:";
  const lines = text.split(/\r\n|\n|\r/);
  const at = lines.findIndex((line) => line.startsWith(key));
  if (at < 0) return null;
  const behind = lines.slice(at + 1);
  const end = behind.findIndex((line) => !line.startsWith(" "));
  const rest = behind.slice(0, end < 0 ? behind.length : end).map((line) => line.slice(1));
  return [lines[at]?.slice(key.length) ?? "", ...rest].join("").trim() || null;
}
