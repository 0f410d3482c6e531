// Start a page of the desk, with the data in attributes of #app.

import { Project } from "./project.js";
import { Projects } from "./projects.js";
import { Server } from "./server.js";

const root = document.getElementById("app");
const { csrf, project, admin } = root.dataset;
const server = new Server(csrf);
document.documentElement.classList.add("js");
(project ? new Project(root, server, project) : new Projects(root, server, admin !== undefined)).start();
// A page restored from the browser's cache has missed events.
addEventListener("pageshow", (event) => event.persisted && location.reload());
