import type { PluginClient } from "../outbound/plugin-client.ts";
import type { Simulated } from "./server-profile.ts";
import type { ServerSpec } from "./server-spec.ts";

export interface DemoServer {
  readonly spec: ServerSpec;
  readonly id: string;
  readonly authToken: string;
  readonly plugin: PluginClient;
  readonly simulated: Simulated;
}
