// Time and ids enter the service here, so that tests can decide them.

export type Clock = () => Date
export type MakeId = () => string

/** Whole seconds since the epoch, the resolution of commit times. */
export function toSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}

/** RFC 3339 UTC with whole seconds: `2026-11-21T10:00:00Z`. */
export function toTimestamp(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
}
