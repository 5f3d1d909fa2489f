import type { Command } from "commander";
import { config } from "./own-config.ts";

const load = {
  account: () => import("./account.ts"),
  access: () => import("./account-access.ts"),
};

export function addAccountCommands(account: Command): void {
  account
    .command("create")
    .requiredOption("--email <address>", "the address of the account")
    .option(
      "--plan <plan>",
      "free, pro, hosting or enterprise (default: free, for an administrator enterprise)",
    )
    .option("--admin", "make it an administrator with a verified address", false)
    .option("--json", "print one JSON line", false)
    .action(async (options: { email: string; plan?: string; admin: boolean; json: boolean }) =>
      (await load.account()).createAccount(await config(), options),
    );
  account
    .command("list")
    .option("--json", "print one JSON line", false)
    .action(async (options: { json: boolean }) =>
      (await load.account()).printAccounts(await config(), options),
    );
  account
    .command("set-plan <email> <plan>")
    .option("--json", "print one JSON line", false)
    .action(async (email: string, plan: string, { json }: { json: boolean }) =>
      (await load.account()).setPlan(await config(), { email, plan, json }),
    );
  account
    .command("set-role <email> <role>")
    .option("--json", "print one JSON line", false)
    .action(async (email: string, role: string, { json }: { json: boolean }) =>
      (await load.account()).setRole(await config(), { email, role, json }),
    );
  account
    .command("verify-email <email>")
    .option("--json", "print one JSON line", false)
    .action(async (email: string, { json }: { json: boolean }) =>
      (await load.account()).markEmailVerified(await config(), { email, json }),
    );
  account
    .command("reset-password <email>")
    .option("--json", "print one JSON line", false)
    .action(async (email: string, { json }: { json: boolean }) =>
      (await load.account()).printNewPassword(await config(), { email, json }),
    );
  addAccessCommands(account);
}

function addAccessCommands(account: Command): void {
  account
    .command("disable <email>")
    .description("Sign the account out everywhere, and refuse its sign-ins and tokens until it is enabled.")
    .option("--json", "print one JSON line", false)
    .action(async (email: string, { json }: { json: boolean }) =>
      (await load.access()).disableAccount(await config(), { email, json }),
    );
  account
    .command("enable <email>")
    .description("Let a disabled account sign in again, as an ordinary one.")
    .option("--json", "print one JSON line", false)
    .action(async (email: string, { json }: { json: boolean }) =>
      (await load.access()).enableAccount(await config(), { email, json }),
    );
  account
    .command("reset-second-factor <email>")
    .description(
      "Take the second factor off an account whose person lost it, and sign every browser of it out.",
    )
    .option("--json", "print one JSON line", false)
    .action(async (email: string, { json }: { json: boolean }) =>
      (await load.access()).resetSecondFactor(await config(), { email, json }),
    );
  account
    .command("open-second-factor <email>")
    .description("Accept codes of the second factor again, after 100 wrong ones in a row closed them.")
    .option("--json", "print one JSON line", false)
    .action(async (email: string, { json }: { json: boolean }) =>
      (await load.access()).openSecondFactor(await config(), { email, json }),
    );
  account
    .command("delete <email>")
    .description("Delete the account with its servers and all that is its, for ever.")
    .option("--yes", "really do it", false)
    .option("--json", "print one JSON line", false)
    .action(async (email: string, options: { yes: boolean; json: boolean }) =>
      (await load.access()).deleteAccountOf(await config(), { email, ...options }),
    );
}

export function addTokenCommands(token: Command): void {
  token
    .command("list <email>")
    .description("List the tokens and connectors of an account, without their secrets.")
    .option("--json", "print one JSON line", false)
    .action(async (email: string, { json }: { json: boolean }) =>
      (await load.access()).printTokens(await config(), { email, json }),
    );
  token
    .command("revoke <email> <id>")
    .description("Revoke a token or connector of an account: it is refused from then on.")
    .option("--json", "print one JSON line", false)
    .action(async (email: string, id: string, { json }: { json: boolean }) =>
      (await load.access()).revokeTokenById(await config(), { email, id, json }),
    );
}
