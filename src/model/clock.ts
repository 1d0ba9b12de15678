// Time and ids enter the service here, so that tests can decide them.

export type Clock = () => Date
export type MakeId = () => string

/** Whole seconds since the epoch, the resolution of commit times. */
export function toSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}

/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799

/** A commit may claim any time: the nearest whole second to it whose year has four digits, as all written dates here. */
export function toNameable(seconds: number): number {
  return Math.min(Math.max(Math.trunc(seconds) || 0, 0), LAST_SECOND)
}

/** RFC 3339 UTC with whole seconds: `2026-11-21T10:00:00Z`. Times that it cannot name become the nearest that it can. */
export function toTimestamp(seconds: number): string {
  return `${new Date(toNameable(seconds) * 1000).toISOString().slice(0, 19)}Z`
}
