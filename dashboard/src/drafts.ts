// What was written and not yet published, kept in this browser through a reload, a lost session or a crash.

export interface Draft {
  html: string
  /** Entity tag of the version that it was begun from; null for a page that is not there yet. */
  etag: string | null
}

/** `name`: a page's id, or `new <site id>`. */
export function readDraft(name: string): Draft | undefined {
  try {
    const text = localStorage.getItem(`draft ${name}`)
    return text === null ? undefined : (JSON.parse(text) as Draft)
  } catch {
    return undefined
  }
}

/** False when the browser keeps nothing (no room, or storage is off): then leaving loses it. */
export function keepDraft(name: string, draft: Draft): boolean {
  try {
    localStorage.setItem(`draft ${name}`, JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

export function dropDraft(name: string): void {
  localStorage.removeItem(`draft ${name}`)
}
