// What this browser remembers. It may forbid its storage: then nothing is remembered, and nothing fails.

function remembered(name, fallback) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? fallback;
  } catch {
    return fallback;
  }
}

function remember(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch { /* as above */ }
}
