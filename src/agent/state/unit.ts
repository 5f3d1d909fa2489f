import { confinement, pathForUnit, quotedForUnit } from "../../linux/systemd-unit.ts";

/** The capabilities with which root reads the process of another user. */
const foreign = "CAP_SYS_PTRACE CAP_DAC_READ_SEARCH CAP_DAC_OVERRIDE CAP_CHOWN CAP_KILL";

export interface UnitFacts {
  /** The command that runs the agent, word by word. */
  readonly command: readonly string[];
  readonly stateFolder: string;
  readonly directory: string;
  /** The user who runs it: the user of the game server, whose JVM answers no other. */
  readonly user: string;
}

/**
 * The unit of systemd that keeps an agent running. It may read what its user may, and write nothing but its state
 * and the folder of the JVM's attach socket (`/tmp`, so that is not a private one).
 */
export const unitText = ({ command, stateFolder, directory, user }: UnitFacts): string => `[Unit]
Description=Tickmark agent for the game server in ${directory.replaceAll("%", "%%")}
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=600
StartLimitBurst=5

[Service]
ExecStart=${command.map(quotedForUnit).join(" ")}
User=${user}
Restart=on-failure
RestartSec=10
RestartPreventExitStatus=2
TimeoutStopSec=20
Nice=5
CapabilityBoundingSet=${user === "root" ? foreign : ""}
ReadWritePaths=${pathForUnit(stateFolder)} /tmp
ProtectHome=read-only
${confinement}
MemoryHigh=256M

[Install]
WantedBy=multi-user.target
`;
