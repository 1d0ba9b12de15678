// Times as the person's clock shows them, in the form of a field for a day and a time.

/** The name of the person's time zone, such as `Europe/Zurich`. */
export function nameOfZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Returns `2026-12-01T09:00`. */
export function toLocalTime(at: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** Returns the instant; undefined for no time, and for one that the clock leaves out when it is set forward. Of two it is the first. */
export function instantOf(shown: string): string | undefined {
  const at = new Date(shown)
  if (shown === '' || Number.isNaN(at.getTime()) || toLocalTime(at) !== shown.slice(0, 16)) return undefined
  return at.toISOString()
}

const dayOnly = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' })
const timeAndZone = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' })

/** Returns `Tuesday, December 1, 2026 at 9:00 AM GMT+1`. */
export function wordTime(instant: string): string {
  const at = new Date(instant)
  return `${dayOnly.format(at)} at ${timeAndZone.format(at)}`
}
