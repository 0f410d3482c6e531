// Calls of the server's API: JSON, the CSRF token, errors that say what happened.
//
//   const api = new Api(csrf)
//   await api.get(path) / api.send(method, path, body)   the answer; a file or other Blob is sent as
//               it is, anything else as JSON; throws
//     Offline   nothing came back, or the server is restarting (502, 503, 504), busy (429) or its
//               disk is full (507); its message says which, in words that fit after a colon
//     Problem   the server said no: .status, .code, .message, .body
//   await persist(call, {onwait, stop})   repeats `call` while it throws Offline, waiting longer each
//                          time (1 s to 30 s) or until the browser says that it is online again;
//                          `onwait(error, seconds)` before each wait; stop() true: gives up (Offline)
//   nonce()                a fresh name for a submission; a repeated one must carry the same

const LONGEST = 30;
const PATIENCE = 20_000;
const FOR_FILES = 180_000;
const AWAY = "there is no connection";
const BUSY = "the server is busy";
const FULL = "the server's disk is full";
const PASSING = new Map([[429, BUSY], [502, BUSY], [503, BUSY], [504, BUSY], [507, FULL]]);

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
    const file = body instanceof Blob;
    if (body !== undefined) headers["Content-Type"] = file ? "application/octet-stream" : "application/json";
    let response;
    let answer = null;
    try {
      response = await fetch(path, {
        method,
        headers,
        credentials: "same-origin",
        cache: "no-store",
        body: file || body === undefined ? body : JSON.stringify(body),
        signal: AbortSignal.timeout(file ? FOR_FILES : PATIENCE),
      });
      const text = await response.text();
      if (text) answer = JSON.parse(text);
    } catch (error) {
      if (response && !response.ok && !PASSING.has(response.status)) {
        throw new Problem(response.status, null);
      }
      throw new Offline(response ? PASSING.get(response.status) || BUSY : AWAY);
    }
    if (PASSING.has(response.status)) throw new Offline(PASSING.get(response.status));
    if (!response.ok) throw new Problem(response.status, answer);
    return answer;
  }
}

export async function persist(call, { onwait = () => {}, stop = () => false } = {}) {
  for (let wait = 1; ; wait = Math.min(LONGEST, wait * 2)) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof Offline) || stop()) throw error;
      onwait(error, wait);
      await pause(wait);
    }
  }
}

function pause(seconds) {
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

export function nonce() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
