import fc from "fast-check";
import { seed } from "./cases.js";

// A property without a seed of its own gets the same values wherever the commit is tested.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
