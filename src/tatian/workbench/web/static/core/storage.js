// The browser's storage; if it is forbidden or full, nothing is stored, without errors.
//
//   read(key): value or null   write(key, value): whether it was stored   remove(key)
//   keys(prefix): [key]

export function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

export function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export function remove(key) {
  try {
    localStorage.removeItem(key);
  } catch {
    return;
  }
}

export function keys(prefix) {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix)).sort();
  } catch {
    return [];
  }
}
