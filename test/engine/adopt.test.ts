import { SMALL } from "../support/awkward-organization.js";
import { adopts, UNTIDY } from "./adopting.js";

adopts("A small organization, on a service that leaves out, empties and rewrites", {
  sizes: SMALL,
  variations: UNTIDY,
});
