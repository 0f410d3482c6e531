// Starts a page of the desk: everything it needs to know stands in attributes of #app.

import { Project } from "./project.js";
import { Projects } from "./projects.js";
import { Server } from "./server.js";

const root = document.getElementById("app");
const { csrf, project, admin } = root.dataset;
const server = new Server(csrf);
document.documentElement.classList.add("js");
(project ? new Project(root, server, project) : new Projects(root, server, admin !== undefined)).start();
// A page that comes back from the browser's memory has missed what happened meanwhile.
addEventListener("pageshow", (event) => event.persisted && location.reload());
