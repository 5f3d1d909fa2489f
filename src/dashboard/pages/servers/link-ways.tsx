import type { ComponentChildren } from "preact";
import { Copyable } from "../../parts/copyable.tsx";

interface LinkWaysProps {
  readonly baseUrl: string;
  readonly version: string;
  /** Whether the first way is open before one is chosen. */
  readonly isOpen: boolean;
}

/** Ways to a code, complete for this service. Only one is open at a time. */
export function LinkWays({ baseUrl, version, isOpen }: LinkWaysProps) {
  return (
    <div class="stack-half">
      <Way title="With the agent, on the machine of the server" isOpen={isOpen}>
        <p>
          For every Java server, without a plugin. Run this as the user of the server, with its folder in
          place of <code>/srv/minecraft</code>. The command <code>tickmark</code> is that of this service
          (version {version}): <kbd>npm pack</kbd> in its folder, then as root{" "}
          <kbd>npm install --global ./tickmark-{version}.tgz</kbd>.
        </p>
        <Copyable id="link-agent" what="the commands of the agent">
          {`tickmark agent check --directory /srv/minecraft
tickmark agent link --directory /srv/minecraft --url ${baseUrl}
tickmark agent run`}
        </Copyable>
        <p>
          The second line prints the code. To keep the agent running after you have signed out of the machine:
        </p>
        <Copyable id="link-unit" what="the commands that keep the agent running">
          {`tickmark agent unit | sudo tee /etc/systemd/system/tickmark-agent.service
sudo systemctl enable --now tickmark-agent`}
        </Copyable>
      </Way>
      <Way title="With the agent, in a container">
        <p>
          Add this service to the Compose file whose service <code>minecraft</code> is the game server, and
          put a copy of Tickmark {version} into the folder <code>tickmark</code>. Make the folder{" "}
          <code>agent-state</code> as the user of the server.
        </p>
        <Copyable id="link-compose" what="the service for the Compose file">
          {`agent:
  image: node:22-slim
  user: "1000:1000"
  pid: service:minecraft
  network_mode: service:minecraft
  volumes: ["minecraft-data:/data:ro", "./agent-state:/state", "./tickmark:/tickmark:ro"]
  command: node /tickmark/dist/main.js agent run --state /state
  restart: unless-stopped
  depends_on: {minecraft: {condition: service_started, restart: true}}`}
        </Copyable>
        <p>This prints the code:</p>
        <Copyable id="link-container" what="the command that links the container">
          {`docker compose run --rm agent node /tickmark/dist/main.js agent link --state /state --directory /data --url ${baseUrl}`}
        </Copyable>
      </Way>
      <Way title="With a plugin">
        <p>A plugin that sends to Tickmark prints the code in the console of the server:</p>
        <Copyable id="link-plugin" what="the command of the plugin">
          /bench link
        </Copyable>
        <p>The author of a plugin gets a code with this request, and exchanges it as the guide says:</p>
        <Copyable id="link-request" what="the request for a code">
          {`curl -X POST ${baseUrl}/plugin/v1/link-codes -H 'content-type: application/json' \\
  -d '{"installation_id":"'$(uuidgen | tr A-Z a-z)'","server":{"name":"Lobby","plugin_version":"1.0.0"}}'`}
        </Copyable>
        <p>
          <a href="/docs/guides/plugin-api">A plugin in an afternoon</a> has a whole client in TypeScript and
          one in Java.
        </p>
      </Way>
    </div>
  );
}

interface WayProps {
  readonly title: string;
  readonly isOpen?: boolean;
  readonly children: ComponentChildren;
}

const Way = ({ title, isOpen = false, children }: WayProps) => (
  <details name="link-way" open={isOpen} class="way">
    <summary>{title}</summary>
    <div class="stack-half">{children}</div>
  </details>
);
