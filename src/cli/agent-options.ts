import type { Collectable } from "../core/server/collection.ts";

export interface AgentOptions {
  /** The state folder; undefined for the user's default one. */
  readonly state?: string;
}

export interface ServerOptions {
  readonly directory?: string;
  readonly port?: number;
  readonly log?: string;
  readonly gcLog?: string;
  readonly metricsUrl?: string;
}

export interface LinkOptions extends AgentOptions, ServerOptions {
  readonly url?: string;
  readonly name?: string;
  readonly json: boolean;
}

export interface CheckOptions extends AgentOptions, ServerOptions {
  readonly json: boolean;
}

export interface AgentRunOptions extends AgentOptions {
  /** Seconds. */
  readonly every?: number;
  readonly lagProfiles: boolean;
}

export interface UnitOptions extends AgentOptions {
  readonly lagProfiles: boolean;
}

export interface CollectOptions extends AgentOptions {
  readonly what: Collectable | undefined;
  readonly json: boolean;
}
