import { z } from "zod";

/** The channels whose messages are written for people. */
export type MessageChannel = Exclude<OutsideChannel, "webhook">;

/** Channels to the outside; an in-app notice is a row of our own. A webhook carries events for programs. */
export const OutsideChannel = z.enum(["email", "chat", "webhook"]);
export type OutsideChannel = z.infer<typeof OutsideChannel>;
