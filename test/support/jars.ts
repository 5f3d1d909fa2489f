import { randomBytes } from "node:crypto";
import { zip, type ZipEntry } from "./zip-writer.ts";

/** A descriptor of each kind, with this name and version. */
export const descriptors = {
  "plugin.yml": (name: string, version: string) =>
    `# made by a test\nname: ${name}\nmain: org.example.Main\nauthors:\n- name: Ann\n  version: "9.9"\nversion: '${version}'\ndescription: |\n  name: nobody\n  version: 0\ncommands:\n  go:\n    description: "goes: there"\n    version: 8\n`,
  "paper-plugin.yml": (name: string, version: string) =>
    `name: "${name}"\nversion: "${version}" # of today\nmain: org.example.Main\napi-version: "1.21"\ndependencies:\n  server:\n    Vault: {load: BEFORE}\n`,
  "bungee.yml": (name: string, version: string) =>
    `\uFEFFname: ${name}\r\nversion: ${version}\r\nmain: org.example.Main\r\n`,
  "velocity-plugin.json": (name: string, version: string) =>
    JSON.stringify({ id: name.toLowerCase(), name, version, main: "org.example.Main", dependencies: [] }),
  "fabric.mod.json": (name: string, version: string) =>
    JSON.stringify({ schemaVersion: 1, id: "some", name, version, depends: { version: "*" } }),
  "quilt.mod.json": (name: string, version: string) =>
    JSON.stringify({ schema_version: 1, quilt_loader: { id: "some", version, metadata: { name } } }),
  "META-INF/mods.toml": (name: string, version: string) =>
    `modLoader="javafml" #mandatory\nloaderVersion="[47,)"\n[[mods]] #mandatory\nmodId="some"\nversion="${version}"\ndisplayName='${name}'\ndescription='''\nversion="0"\n'''\n[[dependencies.some]]\nmodId="forge"\nversion="1"\n[[mods]]\nmodId="other"\nversion="7"\n`,
  "META-INF/neoforge.mods.toml": (name: string, version: string) =>
    `modLoader = "javafml"\n[[mods]]\nmodId = "some"\nversion = "${version}" # now\ndisplayName = "${name}"\n`,
  "mcmod.info": (name: string, version: string) =>
    JSON.stringify([{ modid: "some", name, version, authorList: ["Ann"] }]),
} as const;
export type DescriptorKind = keyof typeof descriptors;
export const descriptorKinds = Object.keys(descriptors) as readonly DescriptorKind[];

/** The folder in which jars of this kind lie. */
export const folderOf = (kind: DescriptorKind): "plugins" | "mods" =>
  /^(?:plugin|paper-plugin|bungee)\.yml$|^velocity/.test(kind) ? "plugins" : "mods";

const classFile: ZipEntry = { name: "", content: randomBytes(600), method: 0 };

/** Class files as a jar has them, in folders of usual depth. */
export const classes = (count: number): readonly ZipEntry[] =>
  Array.from({ length: count }, (_, index) => ({
    ...classFile,
    name: `org/example/plugin/part${index % 40}/internal/SomeListener$Handler${index}.class`,
  }));

/** A jar as build tools make it: manifest, descriptor and classes. */
export const jar = (
  kind: DescriptorKind,
  {
    name,
    version,
    classCount = 10,
  }: { readonly name: string; readonly version: string; readonly classCount?: number },
): Buffer =>
  zip([
    { name: "META-INF/", content: "", method: 0 },
    {
      name: "META-INF/MANIFEST.MF",
      content: "Manifest-Version: 1.0\r\nImplementation-Version: 5.4\r\n .1\r\n",
    },
    { name: kind, content: descriptors[kind](name, version) },
    ...classes(classCount),
  ]);
