/** The message is a sentence for the owner; the code goes into the report. */
export class GameFailure extends Error {
  readonly reasonCode: string;
  readonly outcome: "failure" | "skipped";

  constructor(reasonCode: string, message: string, outcome: "failure" | "skipped" = "failure") {
    super(message);
    this.reasonCode = reasonCode;
    this.outcome = outcome;
  }
}

export const skipped = (reasonCode: string, message: string): GameFailure =>
  new GameFailure(reasonCode, message, "skipped");

/** The agreement is between the owner and Mojang, so nobody else may accept it. */
export const eulaNotAccepted = (): GameFailure =>
  skipped(
    "eula_not_accepted",
    "The game tests start a Minecraft server, and Mojang lets it start only when you accept Mojang's End User " +
      "License Agreement: https://aka.ms/MinecraftEULA. Read it, and run the command again with --accept-eula if you agree.",
  );
