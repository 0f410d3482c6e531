// Start an annotation page, with the data in attributes of #app.

import { Shell } from "./shell.js";

const root = document.getElementById("app");
const { campaign, csrf, module } = root.dataset;
new Shell(root, { campaign, csrf, module }).start();
