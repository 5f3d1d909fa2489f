import { z } from "zod";
import { accepting } from "../accepted-form.ts";
import { thirdPartyText } from "../text/third-party-text.ts";
import { knownSettings } from "./known-settings.ts";

/** The most plugins, and the most mods, of one inventory; the largest modpacks have about 500 mods. */
export const mostInstalled = 1000;
/** The longest name and the longest version of a plugin or mod, code points. */
export const longestInstalledText = 120;
/** The most flags of one JVM, as in a report's payload, and the longest one, code points. */
export const mostFlags = 100;
export const longestFlag = 200;
/** The most configuration files of which the digest is kept. */
const mostFiles = 50;

const text = (max: number) => thirdPartyText(max).nullable().default(null);

/** A block that was left out, or sent as null, is one of which nothing is known. */
const block = <Shape extends z.ZodRawShape>(shape: Shape) => {
  const whole = z.object(shape);
  return whole.nullish().transform((value) => value ?? whole.parse({}));
};

/** A plugin or mod; the name is that of its file where the file does not tell its own. */
const Installed = z.object({
  name: thirdPartyText(longestInstalledText),
  version: text(longestInstalledText),
  /** False for a file that is there and is not loaded. */
  enabled: z.boolean().default(true),
});
export type Installed = z.infer<typeof Installed>;

const installedList = () => z.array(Installed).max(mostInstalled).nullable().default(null);

const sha256 = accepting(z.string().regex(/^[0-9a-f]{64}$/), "64 hexadecimal digits in lower case");

/**
 * The software of one game server, as a plugin or the agent sends it: always the whole. Null is not known, in
 * contrast to an empty list; unknown keys are ignored, missing ones are null.
 */
export const SoftwareInventory = z.object({
  server: block({
    /** The family, such as `paper`. */
    type: text(64),
    name: text(64),
    /** The version of the game; of a proxy its own. */
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
  /** The watched configuration files: never their text. */
  files: z
    .array(z.object({ file: thirdPartyText(120), sha256 }))
    .max(mostFiles)
    .nullable()
    .default(null),
});
export type SoftwareInventory = z.infer<typeof SoftwareInventory>;
