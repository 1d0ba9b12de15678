// Days as people name them: Today, Yesterday, then the date.

const thisYear = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })
const otherYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long', year: 'numeric' })
const timeOfDay = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

export interface Day<T> {
  name: string
  entries: T[]
}

/** Keeps the order. A clock that went back begins the same day once more. */
export function groupByDay<T>(entries: readonly T[], timeOf: (entry: T) => string, now = new Date()): Day<T>[] {
  const days: Day<T>[] = []
  for (const entry of entries) {
    const name = nameOfDay(new Date(timeOf(entry)), now)
    const last = days.at(-1)
    if (last?.name === name) last.entries.push(entry)
    else days.push({ name, entries: [entry] })
  }
  return days
}

export function formatTimeOfDay(timestamp: string): string {
  return timeOfDay.format(new Date(timestamp))
}

function nameOfDay(day: Date, now: Date): string {
  const yesterday = new Date(now)
  yesterday.setDate(now.getDate() - 1)
  if (day.toDateString() === now.toDateString()) return 'Today'
  if (day.toDateString() === yesterday.toDateString()) return 'Yesterday'
  return (day.getFullYear() === now.getFullYear() ? thisYear : otherYear).format(day)
}
