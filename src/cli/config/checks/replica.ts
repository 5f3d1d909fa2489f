import { probeReplica } from "../../../store/database-probe.ts";
import { ok, wrong, type ConfigCheck } from "../check.ts";
import { withoutPasswords } from "../without-passwords.ts";

/** Whether the read replica, if one is named, is a replica of the database. */
export const replicaCheck: ConfigCheck = {
  name: "replica",
  run: async ({ config: { databaseUrl, databaseReadUrl } }) => {
    if (databaseReadUrl === null) return [];
    const shown = withoutPasswords(databaseReadUrl);
    const fault = await probeReplica(databaseUrl, databaseReadUrl);
    return [
      fault === null
        ? ok(`${shown} is a replica of the database.`)
        : wrong(
            `${shown} would not be read: ${fault}. Correct TICKMARK_DATABASE_READ_URL, or repair the replica; the service runs without it.`,
          ),
    ];
  },
};
