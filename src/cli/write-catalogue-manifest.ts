import { freezeInto } from "./write-manifest.ts";
import { frozenPath } from "./catalogue-manifest.ts";

freezeInto(frozenPath);
