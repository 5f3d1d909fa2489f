import type { ReportPayload } from "../payload.ts";
import type { Recommendation } from "./recommendation.ts";
import type { Truth } from "./rule.ts";

type Field = keyof ReportPayload["config"];

const inFile =
  (file: string, prefix = "") =>
  (key: string): Recommendation["setting"] => ({ kind: "config", file, key: prefix + key });

export const serverProperties = inFile("server.properties");
export const bukkitYml = inFile("bukkit.yml");
export const spigotYml = inFile("spigot.yml", "world-settings.default.");
export const paperWorldDefaults = inFile("config/paper-world-defaults.yml");

/** Null if the setting is unknown or no number, such as the word "default". */
export function numberSetting({ config }: ReportPayload, field: Field): number | null {
  const value = config[field];
  return typeof value === "number" ? value : null;
}

export function isSetTo({ config }: ReportPayload, field: Field, state: boolean): Truth {
  const value = config[field];
  return typeof value === "boolean" ? value === state : null;
}

export const isAtMost = (value: number | null, limit: number): Truth =>
  value === null ? null : value <= limit;
export const isAtLeast = (value: number | null, limit: number): Truth =>
  value === null ? null : value >= limit;
