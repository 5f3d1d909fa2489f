import { freezeInto } from "./freeze.ts";
import { frozenPath } from "./frozen-catalogue.ts";

freezeInto(frozenPath);
