// Finds texts by typed text.

/** A text without case and accents. */
export const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();

/**
 * How well a folded text matches the typed text, 0 best: it is equal, it begins with it, a word in it does, or each
 * part begins a word; null if it does not match.
 */
export function fit(text: string, typed: string): number | null {
  if (text.startsWith(typed)) return text === typed ? 0 : 1;
  const words = text.split(/[^\p{L}\p{N}]+/u);
  if (words.some((word) => word.startsWith(typed))) return 2;
  const parts = typed.split(/\s+/).filter(Boolean);
  return parts.length > 0 && parts.every((part) => words.some((word) => word.startsWith(part))) ? 3 : null;
}

/**
 * The positions of the folded texts that match, the best first: the text itself, then those of `recent` (positions, the
 * latest first), then by how well they match. If nothing is typed, all of them in their order.
 */
export function found(texts: string[], typed: string, recent: number[] = []): number[] {
  if (typed === "") return texts.map((_, i) => i);
  const fits = new Map<number, number>();
  texts.forEach((text, i) => {
    const fitting = fit(text, typed);
    if (fitting !== null) fits.set(i, fitting);
  });
  const badness = (i: number) => fits.get(i) ?? Number.POSITIVE_INFINITY;
  const age = (i: number) => (recent.includes(i) ? recent.indexOf(i) : recent.length);
  return [...fits.keys()].sort(
    (i, j) =>
      Number(badness(i) !== 0) - Number(badness(j) !== 0) || age(i) - age(j) || badness(i) - badness(j) || i - j,
  );
}
