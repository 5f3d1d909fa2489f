import type { PluginClient } from "../outbound/plugin-client.ts";
import type { Simulated } from "./server-profile.ts";
import type { ServerSpec } from "./server-spec.ts";

/** A linked server of the demo, with the credential its plugin claimed. */
export interface DemoServer {
  readonly spec: ServerSpec;
  readonly id: string;
  readonly authToken: string;
  readonly plugin: PluginClient;
  readonly simulated: Simulated;
}
