// Tells the operator how far a node that joins the others has come: how many sites it must still fetch, and when it has all.

import type { Connections } from './postgres/connections.js'
import type { SiteRef } from '../repository/protocol/write.js'

export interface JoiningParts {
  /** The sites and change requests that are missing or outdated here; undefined before the first poll. */
  behind: () => readonly SiteRef[] | undefined
  /** Counts the entries of their logs that are missing here. */
  entriesBehind: (behind: readonly SiteRef[]) => Promise<number>
  /** Counts those that cannot be brought here. */
  refusedSites: () => number
  say: (what: string, fields: object) => void
}

const PACE_MS = 500
const TELL_MS = 5000

export class Joining {
  readonly #parts: JoiningParts
  readonly #begun = performance.now()
  readonly #timer: NodeJS.Timeout
  #toldAt = -Infinity
  #isTelling = false

  constructor(parts: JoiningParts) {
    this.#parts = parts
    this.#timer = setInterval(() => void this.#report(), PACE_MS).unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async #report(): Promise<void> {
    const behind = this.#parts.behind()
    if (behind === undefined || this.#isTelling) return
    const seconds = Math.round((performance.now() - this.#begun) / 100) / 10
    const refused = this.#parts.refusedSites()
    if (behind.length <= refused) {
      this.close()
      return this.#parts.say('joined: this node has all sites but those that it refuses', { seconds, refused })
    }
    if (performance.now() - this.#toldAt < TELL_MS) return
    this.#isTelling = true
    const entriesBehind = await this.#parts.entriesBehind(behind).catch(() => undefined)
    this.#isTelling = false
    this.#toldAt = performance.now()
    this.#parts.say('joining: this node fetches the sites that it lacks, and refuses each until it is here', {
      sitesBehind: new Set(behind.map(({ id }) => id)).size,
      entriesBehind,
      seconds,
    })
  }
}

/** Counts the entries of the logs after their head here (`head`; undefined for a log of which nothing is here). */
export async function countEntriesAfter(
  connections: Connections,
  sites: readonly { id: string; head: string | undefined }[],
): Promise<number> {
  const { rows } = await connections.use((session) =>
    session.query<{ entries: string }>(
      `select coalesce(sum(entries - coalesce(reached.number, 0)), 0) as entries
       from unnest($1::uuid[], $2::text[]) as here (site, head) join log.sites using (site)
       left join lateral (
         select max(number) as number from log.entries
         where entries.site = here.site and entries.new = here.head) as reached on true`,
      [sites.map(({ id }) => id), sites.map(({ head }) => head ?? null)],
    ),
  )
  return Number(rows[0]?.entries)
}
