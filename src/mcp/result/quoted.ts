import { neutralise } from "../../core/text/neutralise.ts";
import { toWire } from "./wire.ts";

/** Text that others wrote as part of a sentence of ours: in quotation marks, with nothing hidden in it. */
export const quoted = (text: string, cap: number): string => toWire(neutralise(text, cap).text);
