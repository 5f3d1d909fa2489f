import { neutralise } from "../../core/text/neutralise.ts";
import { toWire } from "./wire.ts";

/** Third-party text inside a sentence of ours: in quotation marks, with hidden characters made visible. */
export const quoted = (text: string, cap: number): string => toWire(neutralise(text, cap).text);
