// The grades of a list's results: which are given, in which order, and which result is next.

export type Grade = number | null; // null: can't be judged

export class GradesGiven {
  private readonly grades = new Map<string, Grade>();
  private order: string[]; // names, in the order of grading

  /** `previous` has grades that were given before. */
  constructor(
    readonly names: string[],
    previous: Record<string, Grade> = {},
  ) {
    for (const name of names) if (Object.hasOwn(previous, name)) this.grades.set(name, previous[name]);
    this.order = [...this.grades.keys()];
  }

  get isNothingJudged(): boolean {
    return this.names.length > 0 && [...this.grades.values()].every((grade) => grade === null);
  }

  has(name: string): boolean {
    return this.grades.has(name);
  }

  /** The grade of a result; undefined if it has none yet. */
  get(name: string): Grade | undefined {
    return this.grades.get(name);
  }

  give(name: string, grade: Grade): void {
    this.grades.set(name, grade);
    this.order = [...this.order.filter((other) => other !== name), name];
  }

  /** Removes the last grade, and returns its result. */
  takeBack(): string | undefined {
    const name = this.order.pop();
    if (name !== undefined) this.grades.delete(name);
    return name;
  }

  /** The positions of the results without a grade. */
  unjudged(): number[] {
    return this.names.flatMap((name, i) => (this.grades.has(name) ? [] : [i]));
  }

  /** The first result without a grade after a position, wrapping around; -1 if there is none. */
  nextUnjudged(position: number): number {
    const left = this.unjudged();
    return left.find((i) => i > position) ?? left[0] ?? -1;
  }

  asRecord(): Record<string, Grade> {
    return Object.fromEntries(this.grades);
  }
}
