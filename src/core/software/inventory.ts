import { z } from "zod";
import { accepting } from "../accepted-form.ts";
import { thirdPartyText } from "../text/third-party-text.ts";
import { knownSettings } from "./known-settings.ts";

/** Plugins of one inventory, and mods; the largest modpacks have about 500 mods. */
export const mostInstalled = 1000;
/** Code points of a name, and of a version. */
export const longestInstalledText = 120;
/** Flags of one JVM, as in a report's payload, and the length of a flag, code points. */
export const mostFlags = 100;
export const longestFlag = 200;
const mostFiles = 50;

const text = (max: number) => thirdPartyText(max).nullable().default(null);

/** Every field of a block that is missing or null is null. */
const block = <Shape extends z.ZodRawShape>(shape: Shape) => {
  const whole = z.object(shape);
  return whole.nullish().transform((value) => value ?? whole.parse({}));
};

/** A plugin or mod; `name` is that of its file if the file does not state one. */
const Installed = z.object({
  name: thirdPartyText(longestInstalledText),
  version: text(longestInstalledText),
  /** False for a file that is not loaded. */
  enabled: z.boolean().default(true),
});
export type Installed = z.infer<typeof Installed>;

const installedList = () => z.array(Installed).max(mostInstalled).nullable().default(null);

const sha256 = accepting(z.string().regex(/^[0-9a-f]{64}$/), "64 hexadecimal digits in lower case");

/** Always the whole software of a server. Null is unknown, unlike an empty list; unknown keys are ignored. */
export const SoftwareInventory = z.object({
  server: block({
    /** The family, such as `paper`. */
    type: text(64),
    name: text(64),
    /** The version of the game; for a proxy, its own. */
    version: text(64),
    build: text(64),
  }),
  java: block({
    version: text(64),
    vendor: text(120),
    flags: z.array(thirdPartyText(longestFlag)).max(mostFlags).nullable().default(null),
  }),
  plugins: installedList(),
  mods: installedList(),
  settings: block(knownSettings),
  /** The watched configuration files, never their text. */
  files: z
    .array(z.object({ file: thirdPartyText(120), sha256 }))
    .max(mostFiles)
    .nullable()
    .default(null),
});
export type SoftwareInventory = z.infer<typeof SoftwareInventory>;
