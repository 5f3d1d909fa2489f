import { AgentState, type Link } from "../agent/state/state.ts";
import { agentName } from "../core/server/link-code.ts";
import { processAgentConfig } from "../app/config/connector-config.ts";
import { pluginClient, type PluginClient } from "../outbound/plugin-client.ts";
import { projectVersion } from "../program/program-files.ts";
import type { AgentOptions } from "./agent-options.ts";
import { CommandError, exitStatus } from "./output.ts";

export const agentVersion = `${agentName} ${projectVersion}`;

export const stateOf = ({ state }: AgentOptions): AgentState =>
  new AgentState(state ?? processAgentConfig().stateFolder);

/** The link that `agent link` made. Throws if the folder has none. */
export async function linkIn(state: AgentState): Promise<Link> {
  const link = await state.link();
  if (link) return link;
  throw new CommandError(
    `No server is linked in ${state.folder}. Run tickmark agent link first.`,
    exitStatus.usage,
  );
}

export const clientOf = ({ url, auth_token }: Link): PluginClient =>
  pluginClient(url, auth_token, { gzip: true });
