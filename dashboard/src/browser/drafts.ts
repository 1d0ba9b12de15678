// Drafts: unpublished text of a person. This browser keeps it through a reload, an ended session or a crash.

import { forget, keep, readKeptJson } from './storage.js'

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
  return readKeptJson(keyOf(name)) as Partial<Draft> | undefined
}

/** Returns false if the browser stores nothing (no space, or storage is off). Leaving the page then loses the draft. */
export function keepDraft(name: string, draft: PageDraft | NewPageDraft): boolean {
  return keep(keyOf(name), JSON.stringify(draft))
}

export function dropDraft(name: string): void {
  forget(keyOf(name))
}

function keyOf(name: string): string {
  return `draft ${name}`
}
