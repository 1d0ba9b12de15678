// Drafts: what a person wrote and did not publish, kept in this browser through a reload, an ended session or a crash.

/** The draft of a page that exists. */
export interface PageDraft {
  html: string
  /** Entity tag of the version that the draft was begun from. */
  etag: string
}

/** The draft of a page that does not exist yet: the fields of the form. */
export interface NewPageDraft {
  path: string
  title: string
  /** A template's id, or `html`. */
  from: string
  html: string
}

/** `name`: a page's id, or `new <site id>`. */
export function readDraft<Draft extends PageDraft | NewPageDraft>(name: string): Partial<Draft> | undefined {
  try {
    const text = localStorage.getItem(`draft ${name}`)
    return text === null ? undefined : (JSON.parse(text) as Partial<Draft>)
  } catch {
    return undefined
  }
}

/** False where the browser stores nothing (no space, or storage is off): leaving the page then loses the draft. */
export function keepDraft(name: string, draft: PageDraft | NewPageDraft): boolean {
  try {
    localStorage.setItem(`draft ${name}`, JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

export function dropDraft(name: string): void {
  try {
    localStorage.removeItem(`draft ${name}`)
  } catch {
    // Storage is off, so there is no draft.
  }
}
