// ES modules that Python sends with panels and views from outside this package: code that its author registered there,
// never something from a pool.

/** The default export of a module, from its text. */
export async function importModule<T>(source: string): Promise<T> {
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  try {
    const module: { default: T } = await import(url);
    return module.default;
  } finally {
    URL.revokeObjectURL(url);
  }
}
