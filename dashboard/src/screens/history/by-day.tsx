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
  return (
    <>
      {groupByDay(entries, timeOf).map(({ name, entries: those }, at) => (
        <section key={`${name} ${at}`} class="day" aria-label={name}>
          <h2>{name}</h2>
          <ol class="changes">{those.map(children)}</ol>
        </section>
      ))}
    </>
  )
}
