// Reads a time that a person gives: with an offset as it is, without one as the clock here shows it.

import { Unusable } from '../connection/unusable.js'

const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(Z|[+-]\d\d:\d\d)?$/i
const DAY_MS = 24 * 3600_000

/** Returns RFC 3339 UTC. Throws Unusable for other texts, and for a time that a change of the clock leaves out or repeats. */
export function readTime(text: string): string {
  const [, day = '', time = '', offset] = TIME.exec(text) ?? []
  if (!isDay(day)) throw notATime(text)
  const instants = offset === undefined ? instantsOf(`${day}T${time}`) : [Date.parse(`${day}T${time}${offset}`)]
  const [instant, other] = instants
  if (Number.isNaN(Date.parse(`${day}T${time}Z`)) || Number.isNaN(instant)) throw notATime(text)
  if (instant === undefined)
    throw new Unusable(`The clock here leaves out ${text}, when it is set forward. Name another time.`)
  if (other !== undefined)
    throw new Unusable(
      `The clock here shows ${text} twice, when it is set back. Add the offset: ${withOffset(text, instant)} is the first.`,
    )
  return new Date(instant).toISOString()
}

/** Returns the instants at which the clock here shows this time, the first one first. It differs by the offset of the day before or after. */
function instantsOf(shown: string): number[] {
  const utc = Date.parse(`${shown}Z`)
  const offsets = [utc - DAY_MS, utc + DAY_MS].map((at) => new Date(at).getTimezoneOffset() * 60_000)
  const found = offsets.map((offset) => utc + offset)
  return [...new Set(found)].filter((at) => showsHere(at) === utc).toSorted((a, b) => a - b)
}

/** Returns what the clock here shows then, as if that were UTC. */
function showsHere(at: number): number {
  return at - new Date(at).getTimezoneOffset() * 60_000
}

function withOffset(text: string, at: number): string {
  const minutes = -new Date(at).getTimezoneOffset()
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0')
  return `${text.replace(' ', 'T')}${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`
}

/** Whether the calendar has the day: JavaScript reads 30 February as 2 March. */
function isDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day)
}

function notATime(text: string): Unusable {
  return new Unusable(`"${text}" is no time: write "2026-12-01 09:00", or 2026-12-01T09:00+01:00.`)
}
