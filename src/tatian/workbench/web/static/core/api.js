// Requests to the server's JSON API, with the CSRF token.
//
//   const api = new Api(csrf)
//   await api.get(path), api.send(method, path, body)   return the answer; a Blob is sent as it is,
//               anything else as JSON; throw
//     Offline   no answer, or the server is restarting (502, 503, 504), busy (429) or out of disk
//               space (507); the message fits after a colon
//     Problem   the server refused the request: .status, .code, .message, .body
//   await retryOffline(call, {onwait})   repeats `call` while it throws Offline, after waits of 1 s
//               to 30 s, or when the browser is online again; onwait(error, seconds) before each
//   makeNonce()   an id for a submission; submissions with the same id count once

const LONGEST_WAIT = 30; // Seconds.
const TIMEOUT = 20_000; // Milliseconds, as below.
const FILE_TIMEOUT = 180_000;
const NO_CONNECTION = "there is no connection";
const BUSY = "the server is busy";
const FULL = "the server's disk is full";
const TEMPORARY = new Map([[429, BUSY], [502, BUSY], [503, BUSY], [504, BUSY], [507, FULL]]);

export class Offline extends Error {}

export class Problem extends Error {
  constructor(status, body) {
    super(body?.error?.message || `The server answered ${status}.`);
    this.status = status;
    this.code = body?.error?.code || "";
    this.body = body;
  }
}

export class Api {
  constructor(csrf) {
    this.csrf = csrf;
  }

  get(path) {
    return this.send("GET", path);
  }

  async send(method, path, body) {
    const headers = { Accept: "application/json", "X-CSRF-Token": this.csrf };
    const isFile = body instanceof Blob;
    if (body !== undefined) headers["Content-Type"] = isFile ? "application/octet-stream" : "application/json";
    let response;
    let answer = null;
    try {
      response = await fetch(path, {
        method,
        headers,
        credentials: "same-origin",
        cache: "no-store",
        body: isFile || body === undefined ? body : JSON.stringify(body),
        signal: AbortSignal.timeout(isFile ? FILE_TIMEOUT : TIMEOUT),
      });
      const text = await response.text();
      if (text) answer = JSON.parse(text);
    } catch {
      if (response && !response.ok && !TEMPORARY.has(response.status)) {
        throw new Problem(response.status, null);
      }
      throw new Offline(response ? TEMPORARY.get(response.status) || BUSY : NO_CONNECTION);
    }
    if (TEMPORARY.has(response.status)) throw new Offline(TEMPORARY.get(response.status));
    if (!response.ok) throw new Problem(response.status, answer);
    return answer;
  }
}

export async function retryOffline(call, { onwait = () => {} } = {}) {
  for (let seconds = 1; ; seconds = Math.min(LONGEST_WAIT, seconds * 2)) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof Offline)) throw error;
      onwait(error, seconds);
      await waitOrOnline(seconds);
    }
  }
}

function waitOrOnline(seconds) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, seconds * 1000);
    addEventListener("online", done);
  });
}

export function makeNonce() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
