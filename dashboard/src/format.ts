// Formats times, sizes and counts as text.

const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const number = new Intl.NumberFormat()

/** Seconds of each unit, the longest first. */
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

export function formatTime(timestamp: string): string {
  return dateTime.format(new Date(timestamp))
}

/** Formats an age: `2 hours ago`, or `just now` for less than a minute. */
export function formatAge(timestamp: string, now = Date.now()): string {
  const seconds = (new Date(timestamp).getTime() - now) / 1000
  const unit = UNITS.find(([, length]) => Math.abs(seconds) >= length)
  return unit === undefined ? 'just now' : relative.format(Math.round(seconds / unit[1]), unit[0])
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const units = ['KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length)
  const value = bytes / 1024 ** power
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[power - 1]}`
}

export function formatNumber(value: number): string {
  return number.format(value)
}

export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${number.format(count)} ${count === 1 ? one : many}`
}

/** Returns a URL as people read it, without its scheme. */
export function formatUrl(url: string): string {
  return url.replace(/^https?:\/\//, '')
}

/** Returns what people call a site. */
export function nameOfSite({ name, slug }: { name: string | null; slug: string }): string {
  return name ?? slug
}

/** Names each person once, and at most two of them: `Grace, Ada and 2 others`. */
export function formatNames(names: readonly string[]): string {
  const each = [...new Set(names)]
  const more = each.length - 2
  if (more <= 0) return each.join(' and ')
  return `${each.slice(0, 2).join(', ')} and ${formatCount(more, 'other')}`
}
