import { access, constants } from "node:fs/promises";
import { failureCode } from "../../core/failure-code.ts";
import { oneLine } from "../one-line.ts";
import { propertiesIn } from "./find-server.ts";
import { lacksRcon } from "./server-kind.ts";
import type { ServerInstall } from "./server-install.ts";
import type { Finding } from "../sources/source.ts";
import { propertiesOf } from "./server-properties.ts";

/** Findings about the server itself, with advice on missing sources: the first lines of `agent check`. */
export async function installFindings(install: ServerInstall): Promise<readonly Finding[]> {
  const properties = install.settingsUnread === undefined ? await propertiesIn(install.directory) : null;
  const settings: Finding =
    properties === null
      ? {
          able: false,
          about: "server.properties",
          says: `${install.settingsUnread ?? "There is none in the server's folder."} So the usual port of the game is assumed, and RCON is not used.`,
        }
      : { able: true, about: "server.properties", says: `The server listens on port ${install.port}.` };
  const found = properties === null && install.kind.name !== null ? kindFinding(install) : settings;
  return [found, rconFinding(install, properties), await logFinding(install), metricsFinding(install)];
}

/** A family with settings of its own needs no server.properties. */
const kindFinding = ({ kind, port }: ServerInstall): Finding => ({
  able: true,
  about: "settings",
  says: `The server is ${kind.name}, and listens on port ${port}.`,
});

function rconFinding(install: ServerInstall, properties: ReadonlyMap<string, string> | null): Finding {
  const about = "RCON";
  if (install.rcon !== null) {
    return { able: true, about, says: `RCON is switched on, on port ${install.rcon.port}.` };
  }
  if (!install.kind.hasRcon) return { able: false, about, says: lacksRcon(install.kind) };
  const lacksPassword = properties !== null && propertiesOf(properties).rconLacks === "password";
  const says = lacksPassword
    ? "RCON is switched on without a password, which the game refuses; set rcon.password in server.properties and restart the server."
    : "RCON is off, so TPS and MSPT are unknown; set enable-rcon=true and a long rcon.password in server.properties, keep its port closed to the network, and restart the server.";
  return { able: false, about, says };
}

async function logFinding(install: ServerInstall): Promise<Finding> {
  const about = "latest.log";
  try {
    await access(install.log, constants.R_OK);
    return { able: true, about, says: "The server's log can be read." };
  } catch (error) {
    const why = failureCode(error) ?? oneLine(error);
    const says = `The server's log cannot be read (${why}); run the agent as the server's user, or give its path with --log.`;
    return { able: false, about, says };
  }
}

const metricsFinding = (install: ServerInstall): Finding => ({
  able: install.metricsUrl !== null,
  about: "Prometheus",
  says:
    install.metricsUrl === null
      ? "No exporter of a known plugin was found; if there is one, give its address with --metrics-url."
      : "An exporter is configured; its figures are read.",
});
