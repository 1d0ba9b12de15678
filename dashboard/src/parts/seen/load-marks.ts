// Loads the code that marks changes. A screen that will show marks asks for it ahead.

export async function loadMarks() {
  return await import('./mark-changes.js')
}

export function askForMarks(): void {
  // The comparison says that it cannot be loaded.
  loadMarks().catch(() => undefined)
}
