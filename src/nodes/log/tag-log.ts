// The tags of sites in PostgreSQL: a table of their current values, and an entry in the site's log for each move. A mark over all tags
// of a site is stored next to its head, so that one query shows who lacks a tag.

import { markOfTags } from '../../git/repository/tag-refs.js'
import type { Oid } from '../../git/objects/oid.js'
import type { RefLog } from '../../git/repository/ref.js'
import type { RefChange } from '../../git/objects/ref-change.js'
import type { Database } from './database.js'
import type { LoggedPack, PackedBatch } from './logged-pack.js'

/** The `ref` of a log entry that moves tags; its `changes` name them. */
const TAGS = 'refs/tags/'

export interface NextTags {
  batch: string
  /** All tags of the site, by full name, before and after. */
  before: ReadonlyMap<string, Oid>
  after: ReadonlyMap<string, Oid>
  changes: readonly RefChange[]
  /** Packs whose pieces were staged. */
  packs: readonly LoggedPack[]
  log: RefLog
}

export class TagLog {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Returns the object that each tag of the site names, by the tag's full name. */
  async all(site: string): Promise<Map<string, Oid>> {
    const rows = await this.#database.query<{ name: string; oid: Oid }>(
      'select name, oid from log.tags where site = $1',
      [site],
    )
    return new Map(rows.map(({ name, oid }) => [name, oid]))
  }

  /** Moves the tags in one statement, if all are as before; returns false otherwise. Throws OutcomeNotHeard. */
  async append(site: string, { batch, before, after, changes, packs, log }: NextTags): Promise<boolean> {
    const rows = await this.#database.write(
      `with moved as (
         update log.sites set tags = $3, entries = entries + 1, changed = pg_current_xact_id()
         where site = $1 and tags = $2 and head is not null and $4::uuid <> all (barred)
           and ($5::jsonb = '[]' or exists (select 1 from log.staged where batch = $4))
         returning entries
       ), entry as (
         insert into log.entries (site, number, batch, ref, packs, time, message, changes)
         select $1, entries, $4, '${TAGS}', $5, $6, $7, $8 from moved
       ), removed as (
         delete from log.tags using moved where site = $1 and name = any ($9)
       ), kept as (
         insert into log.tags (site, name, oid)
         select $1, name, oid from moved, unnest($10::text[], $11::text[]) as tag (name, oid)
         on conflict (site, name) do update set oid = excluded.oid
       ), staged as (
         delete from log.staged where batch = $4 and exists (select 1 from moved)
       )
       select entries from moved`,
      [
        site,
        markOfTags(before),
        markOfTags(after),
        batch,
        JSON.stringify(packs),
        log.committer.time,
        log.message,
        JSON.stringify(changes),
        changes.flatMap(({ ref, after: oid }) => (oid === null ? ref : [])),
        changes.flatMap(({ ref, after: oid }) => (oid === null ? [] : ref)),
        changes.flatMap(({ after: oid }) => oid ?? []),
      ],
    )
    return rows.length > 0
  }

  /** Returns those of the objects that some tag of the site has ever named. */
  async had(site: string, oids: readonly Oid[]): Promise<Oid[]> {
    const rows = await this.#database.query<{ oid: Oid }>(
      `select change ->> 'after' as oid from log.entries, jsonb_array_elements(changes) as change
       where site = $1 and ref = '${TAGS}' and change ->> 'after' = any ($2)`,
      [site, oids],
    )
    return rows.map(({ oid }) => oid)
  }

  /** Returns the newest move of tags before a number that brought objects; undefined if there is none. */
  async packedBefore(site: string, number: number): Promise<(PackedBatch & { number: number }) | undefined> {
    const [row] = await this.#database.query<{ number: string; batch: string; packs: LoggedPack[] }>(
      `select number, batch, packs from log.entries
       where site = $1 and number < $2 and ref = '${TAGS}' and packs <> '[]' order by number desc limit 1`,
      [site, number],
    )
    return row && { ...row, number: Number(row.number) }
  }
}
