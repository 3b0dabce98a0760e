// The time of last use, in words.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const startOfDay = (time: Date): number => new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime();

/** As in "5 minutes ago", "yesterday", "3 days ago", "12 November"; the text itself if it is not a time. */
export function lastUsed(text: string, now = new Date()): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) return text;
  const elapsed = now.getTime() - time.getTime();
  if (elapsed < MINUTE) return "just now";
  if (elapsed < HOUR) return ago(Math.floor(elapsed / MINUTE), "minute");
  const days = Math.round((startOfDay(now) - startOfDay(time)) / DAY);
  if (days <= 0 || elapsed < 3 * HOUR) return ago(Math.floor(elapsed / HOUR), "hour");
  if (days === 1) return "yesterday";
  if (days < 7) return ago(days, "day");
  const year = time.getFullYear() === now.getFullYear() ? undefined : "numeric";
  return time.toLocaleDateString("en", { day: "numeric", month: "long", year });
}

const ago = (n: number, unit: string): string => `${n} ${unit}${n === 1 ? "" : "s"} ago`;
