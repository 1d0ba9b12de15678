// The record that a person writes in this tab. The browser keeps it through a reload or an ended session.

import type { StoredRecord } from '../../../api/client.js'
import type { JsonObject } from '../fields/field.js'

/** The record that the dialog is about, and the values with which it begins. */
export interface Edited {
  /** Undefined for a new record. */
  record: StoredRecord | undefined
  data?: JsonObject
}

export function readKept(collectionId: string): Edited | undefined {
  try {
    const text = sessionStorage.getItem(nameOf(collectionId))
    return text === null ? undefined : (JSON.parse(text) as Edited)
  } catch {
    return undefined
  }
}

/** Undefined forgets it. */
export function keepRecord(collectionId: string, edited: Edited | undefined): void {
  try {
    if (edited === undefined) sessionStorage.removeItem(nameOf(collectionId))
    else sessionStorage.setItem(nameOf(collectionId), JSON.stringify(edited))
  } catch {
    // Storage is off or full: a reload then loses the text.
  }
}

function nameOf(collectionId: string): string {
  return `record of ${collectionId}`
}
