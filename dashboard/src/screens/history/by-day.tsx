// A list of what happened, newest first, with a heading for each day.

import type { ComponentChildren } from 'preact'
import { groupByDay } from './days.js'

interface ByDayProps<T> {
  entries: readonly T[]
  timeOf: (entry: T) => string
  /** Returns the entry as a `<li>`. */
  children: (entry: T) => ComponentChildren
}

export function ByDay<T>({ entries, timeOf, children }: ByDayProps<T>) {
  const days = groupByDay(entries, timeOf)
  // Commits of another clock part a day: each part has a name of its own.
  const labelOf = (name: string, at: number) => {
    const part = days.slice(0, at + 1).filter((day) => day.name === name).length
    return part === 1 ? name : `${name}, part ${part}`
  }
  return (
    <>
      {days.map(({ name, entries: those }, at) => (
        <section key={`${name} ${at}`} class="day" aria-label={labelOf(name, at)}>
          <h2>{name}</h2>
          <ol class="changes">{those.map(children)}</ol>
        </section>
      ))}
    </>
  )
}
