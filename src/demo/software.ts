import type { ReportBody } from "../outbound/plugin-client.ts";

export type Software = ReportBody["server"] & {
  readonly type: string;
  readonly type_name: string;
  readonly game_version: string;
};

const bukkit = {
  is_hybrid: false,
  java_version: "21.0.8",
  java_vendor: "Eclipse Adoptium",
  mod_loader: null,
  mod_count: null,
};

export const paper: Software = {
  ...bukkit,
  type: "paper",
  type_name: "Paper",
  build: "1.21.8-60",
  game_version: "1.21.8",
  plugin_count: 23,
};

export const purpur: Software = {
  ...bukkit,
  type: "purpur",
  type_name: "Purpur",
  build: "1.21.8-2491",
  game_version: "1.21.8",
  plugin_count: 14,
};

export const folia: Software = {
  ...bukkit,
  type: "folia",
  type_name: "Folia",
  build: "1.21.8-6",
  game_version: "1.21.8",
  plugin_count: 9,
};

/** The vanilla game; its plugin is a mod. */
export const fabricVanilla: Software = {
  type: "vanilla",
  type_name: "Vanilla",
  build: null,
  game_version: "1.20.1",
  is_hybrid: false,
  java_version: "17.0.15",
  java_vendor: "Eclipse Adoptium",
  mod_loader: "fabric",
  plugin_count: null,
  mod_count: 1,
};
