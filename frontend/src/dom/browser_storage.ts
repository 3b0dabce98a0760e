// What this browser remembers. It may forbid its storage: then nothing is remembered, and nothing fails.

type Place = "localStorage" | "sessionStorage"; // the latter is of one tab, and outlives its reload

export function remembered<T>(name: string, fallback: T, place: Place = "localStorage"): T {
  try {
    return JSON.parse(window[place].getItem(name) ?? "null") ?? fallback;
  } catch {
    return fallback;
  }
}

export function remember(name: string, value: unknown, place: Place = "localStorage"): void {
  try {
    window[place].setItem(name, JSON.stringify(value));
  } catch {
    // As above.
  }
}
