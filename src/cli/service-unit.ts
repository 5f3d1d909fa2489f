import { confinement, quotedForUnit } from "../linux/systemd-unit.ts";
import { hiddenFromServices } from "../linux/unit-program.ts";
import { CommandError, exitStatus, printLine } from "./output.ts";
import { unitCommand } from "./unit-command.ts";

/** User names that useradd takes. */
const userForm = /^[a-z_][a-z0-9_-]{0,31}$/;

/** The unit makes this folder (StateDirectory), for its user alone. */
const stateFolder = "/var/lib/tickmark";

export interface ServiceUnitFacts {
  readonly command: readonly string[];
  readonly user: string;
}

/** The unit may write only its own folder under /var/lib, read no home, and gain no rights. */
export const serviceUnitText = ({ command, user }: ServiceUnitFacts): string => `[Unit]
Description=Tickmark
Wants=network-online.target
After=network-online.target postgresql.service
StartLimitIntervalSec=600
StartLimitBurst=5

[Service]
# Settings, such as TICKMARK_BASE_URL: one NAME=value per line. The file need not be there.
EnvironmentFile=-/etc/tickmark.env
Environment=NODE_ENV=production
Environment=TICKMARK_DATABASE_URL=sqlite:${stateFolder}/tickmark.db
Environment=TICKMARK_SETUP_CODE_FILE=${stateFolder}/set-up-code
ExecStart=${command.map(quotedForUnit).join(" ")}
User=${user}
StateDirectory=tickmark
StateDirectoryMode=0700
WorkingDirectory=${stateFolder}
Restart=on-failure
RestartSec=5
RestartPreventExitStatus=2
TimeoutStopSec=30
CapabilityBoundingSet=
AmbientCapabilities=
ProtectHome=yes
PrivateTmp=yes
PrivateUsers=yes
ProtectProc=invisible
RemoveIPC=yes
${confinement}
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM
LimitNOFILE=65536

[Install]
WantedBy=multi-user.target
`;

/** The unit runs this very program. */
export function printServiceUnit({ user }: { readonly user: string }): void {
  if (!userForm.test(user))
    throw new CommandError(`--user takes the name of a user, not ${JSON.stringify(user)}.`, exitStatus.usage);
  const command = unitCommand(["serve"], user, hiddenFromServices);
  printLine(serviceUnitText({ command, user }).trimEnd());
}
