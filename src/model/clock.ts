// Time and ids enter the service here, so that tests can decide them.

export type Clock = () => Date
export type MakeId = () => string

/** Whole seconds since the epoch, the resolution of commit times. */
export function toSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}

/** The last second that RFC 3339 can name; a commit may claim any time. */
const LAST_SECOND = 253_402_300_799

/** RFC 3339 UTC with whole seconds: `2026-11-21T10:00:00Z`. Times that it cannot name become the nearest that it can. */
export function toTimestamp(seconds: number): string {
  const named = Math.min(Math.max(Number.isFinite(seconds) ? seconds : 0, 0), LAST_SECOND)
  return `${new Date(named * 1000).toISOString().slice(0, 19)}Z`
}
