// Something that a single client writes repeatedly, with everything that its reads may show.

import { setTimeout as pause } from 'node:timers/promises'
import type { Sent } from '../ground/ground.js'

const STILL_MS = 5

/** A value is undefined while the subject does not exist. */
export type Value = string | undefined

/** The ways in beside the API's single writes, counted each by itself. */
export type Way = 'push by path' | 'push over HTTP' | 'deploy' | 'draft' | 'change request'

export interface Writing {
  name: string
  way?: Way
  write(value: Value): Promise<Sent>
  read(): Promise<Value>
  /** Returns the next value to write; `fresh` is a text that no other write has. */
  next(current: { value: Value; isCertain: boolean }, fresh: string): Value
  /** Sends the last request again with the same idempotency key. */
  repeat?(): Promise<Sent>
}

export interface Subject extends Writing {
  acknowledged: Value
  /** Counts the starts and ends of its writes: odd while a write is under way. */
  changes: number
  /** Values of writes without an answer or with `outcome_unknown`: each of them may be there instead. */
  possible: Value[]
}

/** The service says that it cannot read this now: nothing is known about the subject. */
export class ReadRefused extends Error {}

export function toSubject(writing: Writing): Subject {
  return { ...writing, acknowledged: undefined, changes: 0, possible: [] }
}

/** Reads while no write is under way: during a write both values would be correct. */
export async function readStill(subject: Subject): Promise<Value> {
  for (;;) {
    const { changes } = subject
    const found = await subject.read()
    if (changes === subject.changes && changes % 2 === 0) return found
    await pause(STILL_MS)
  }
}
