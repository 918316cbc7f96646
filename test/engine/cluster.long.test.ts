import { clusterCase } from "./kinds/cluster.js";
import { lifecycle } from "./lifecycle.js";

lifecycle(clusterCase);
