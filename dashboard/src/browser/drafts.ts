// Drafts: unpublished text of a person. This browser keeps it through a reload, an ended session or a crash.

/** The draft of an existing page. */
export interface PageDraft {
  html: string
  /** Entity tag of the version that the draft started from. */
  etag: string
}

/** The draft of a new page: the fields of the form. */
export interface NewPageDraft {
  /** Empty: it is made of the title. */
  path: string
  title: string
  /** A template's id, or `html`. */
  from: string
  /** HTML that an earlier version of the dashboard kept. */
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

/** Returns false if the browser stores nothing (no space, or storage is off). Leaving the page then loses the draft. */
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
