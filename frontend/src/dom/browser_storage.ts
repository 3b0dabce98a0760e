// What this browser remembers. If it forbids storage, nothing is remembered, and nothing fails.

type Place = "localStorage" | "sessionStorage"; // the latter belongs to one tab, and survives a reload

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
