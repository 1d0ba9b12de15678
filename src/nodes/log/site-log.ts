// The ordered log of each site, and of each change request, in PostgreSQL. Its entries are moves of a ref, with the packs that they need.
// `site` is the id of either one. This file has only the statements; callers know what an answer means for a repository.

import type { Oid } from '../../git/objects/oid.js'
import { MAIN } from '../../repository/format/main-ref.js'
import type { Publication } from '../../repository/protocol/write.js'
import type { Database } from './database.js'
import type { Entry, FirstEntry, LogHead, NextEntry } from './log-entries.js'
import { TagLog } from './tag-log.js'

/** The time for which main is held for a writer that stopped silently. */
const HELD = "interval '5 seconds'"
/** The time until which a key is valid, in seconds (design §5). */
const KEPT = 'time + 86400'
/** The holder of the branches of published change requests: they are held for ever. */
const PUBLISHED = "'00000000-0000-0000-0000-000000000000'::uuid"
/** The time for which the pieces of a batch wait for its entry. */
const STAGED = "interval '1 day'"
/** The time until which the entries of an ended change request are kept, for nodes that are reading them, in seconds. */
const READ = 'time + 86400'

type Row = Record<string, unknown>

export class SiteLog {
  readonly tags: TagLog
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
    this.tags = new TagLog(database)
  }

  /** Returns undefined if the log has no such site. */
  async head(site: string): Promise<LogHead | undefined> {
    const [row] = await this.#database.query<Row>('select head, entries, tags from log.sites where site = $1', [site])
    return row && { head: row['head'] as Oid | null, entries: Number(row['entries']), tags: String(row['tags']) }
  }

  /** Begins a log; pieces that do not go with it were staged. Returns false if there is one, or if the site of a change request has ended. */
  async create(site: string, { requestOf, batch, head, packs, piece, log }: FirstEntry): Promise<boolean> {
    const rows = await this.#database.write(
      `with made as (
         insert into log.sites (site, head, entries, request_of)
         select $1, $2, 1, $8
         where ($4::jsonb = '[]' or $7::bytea is not null or exists (select 1 from log.staged where batch = $3))
           and ($8::uuid is null or exists (select 1 from log.sites where site = $8 and head is not null))
         on conflict do nothing returning site
       ), entry as (
         insert into log.entries (site, number, batch, ref, new, packs, time, message)
         select $1, 1, $3, '${MAIN}', $2, $4, $5, $6 from made
       ), piece as (
         insert into log.pieces (batch, pack, number, bytes) select $3, 0, 0, $7 from made where $7 is not null
       ), staged as (
         delete from log.staged where batch = $3 and exists (select 1 from made)
       )
       select site from made`,
      [site, head, batch, JSON.stringify(packs), log.committer.time, log.message, piece, requestOf],
    )
    return rows.length > 0
  }

  /**
   * Moves the head from the expected one and appends the entry, in one statement. Returns false if the head is another, or if another
   * writer holds main. Also returns false if an idempotency key is taken, or a request to publish moved. Then only staged
   * pieces remain. Two uses of a key cannot race: a key belongs to one site, and using it moves that site's head. Throws OutcomeNotHeard.
   */
  async append(site: string, entry: NextEntry): Promise<boolean> {
    const { batch, expected, next, packs, piece, log, holder, keys, publishes } = entry
    const logged = [log.committer.time, log.message, keys]
    const rows = await this.#database.write(
      `with published as (
         select site from log.sites join unnest($11::uuid[], $12::text[]) as merged (site, head) using (site, head)
         where sites.holder is null or sites.held_until < clock_timestamp()
         order by site for update of sites
       ), moved as (
         update log.sites set head = $3, entries = entries + 1, changed = pg_current_xact_id()
         where site = $1 and head = $2 and $4::uuid <> all (barred)
           and (holder is null or holder = $5 or held_until < clock_timestamp())
           and ($6::bytea is not null or exists (select 1 from log.staged where batch = $4))
           and not exists (select 1 from log.keys where hash = any ($10) and ${KEPT} > $8)
           and (select count(*) from published) = cardinality($11::uuid[])
         returning entries
       ), ended as (
         update log.sites set holder = ${PUBLISHED}, held_until = 'infinity'
         from published where sites.site = published.site and exists (select 1 from moved)
       ), entry as (
         insert into log.entries (site, number, batch, ref, old, new, packs, time, message)
         select $1, entries, $4, '${MAIN}', $2, $3, $7, $8, $9 from moved
       ), piece as (
         insert into log.pieces (batch, pack, number, bytes) select $4, 0, 0, $6 from moved where $6 is not null
       ), keys as (
         insert into log.keys (hash, time) select hash, $8 from moved, unnest($10::text[]) as hash
         on conflict (hash) do update set time = excluded.time
       ), staged as (
         delete from log.staged where batch = $4 and exists (select 1 from moved)
       )
       select entries from moved`,
      [site, expected, next, batch, holder, piece, JSON.stringify(packs), ...logged, ...toLists(publishes)],
      'append',
    )
    return rows.length > 0
  }

  /**
   * Decides for good whether an entry with an unknown outcome is in the log: a statement that is still running finds its batch barred.
   * The answer rests on a write, which waits for the standby as the entry did.
   */
  async settle(site: string, batch: string): Promise<boolean> {
    return await this.#database.writeOnOneConnection(async (query) => {
      await query(
        `update log.sites set barred = case when $2 = any (barred) then barred else barred || $2::uuid end where site = $1`,
        [site, batch],
      )
      const rows = await query('select 1 from log.entries where batch = $1', [batch])
      return rows.length > 0
    })
  }

  /** Returns the server's time in seconds. */
  async time(): Promise<number> {
    const [row] = await this.#database.query<Row>('select extract(epoch from clock_timestamp())::bigint as time', [])
    return Number(row?.['time'])
  }

  /** Ends the log, and those of the site's change requests, each with a last entry. Skips those that have ended. */
  async retire(site: string): Promise<void> {
    await this.#database.write(
      `with ended as (
         update log.sites now set head = null, entries = now.entries + 1, changed = pg_current_xact_id()
         from (
           select site, head from log.sites where (site = $1 or request_of = $1) and head is not null
           order by site for update
         ) before
         where now.site = before.site
         returning now.site, now.entries, before.head
       )
       insert into log.entries (site, number, batch, ref, old, packs, time, message)
       select site, entries, gen_random_uuid(), '${MAIN}', head, '[]', extract(epoch from clock_timestamp())::bigint, 'deleted'
       from ended`,
      [site],
    )
  }

  /** Removes entries, packs and tags of a retired site and its change requests. Its row stays: by it each node sees that it has ended. */
  async forget(site: string): Promise<void> {
    await this.#database.write(
      `with ended as (
         select logs.site from log.sites logs, log.sites retired
         where retired.site = $1 and retired.head is null and (logs.site = $1 or logs.request_of = $1)
       ),
       gone as (delete from log.entries using ended where entries.site = ended.site returning batch),
       packs as (delete from log.pieces using gone where pieces.batch = gone.batch)
       delete from log.tags using ended where tags.site = ended.site`,
      [site],
    )
  }

  /** Keeps others from moving main, until `letGo` or for 5 s. Returns false if main is held. */
  async hold(site: string, holder: string): Promise<boolean> {
    const rows = await this.#database.write(
      `update log.sites set holder = $2, held_until = clock_timestamp() + ${HELD}
       where site = $1 and (holder is null or held_until < clock_timestamp())
       returning site`,
      [site, holder],
    )
    return rows.length > 0
  }

  async letGo(site: string, holder: string): Promise<void> {
    await this.#database.write('update log.sites set holder = null where site = $1 and holder = $2', [site, holder])
  }

  /** Whether a holder other than `holder` keeps main from moving. */
  async isHeld(site: string, holder: string | undefined): Promise<boolean> {
    const rows = await this.#database.query(
      'select 1 from log.sites where site = $1 and holder is distinct from $2 and held_until > clock_timestamp() and holder is not null',
      [site, holder],
    )
    return rows.length > 0
  }

  /** Whether the log is that of a published change request, which takes no more entries. */
  async isPublished(site: string): Promise<boolean> {
    const rows = await this.#database.query(`select 1 from log.sites where site = $1 and holder = ${PUBLISHED}`, [site])
    return rows.length > 0
  }

  /** Returns those of the change requests whose branches are at other heads, held, or published already. */
  async movedRequests(publishes: readonly Publication[]): Promise<string[]> {
    if (publishes.length === 0) return []
    const rows = await this.#database.query<{ site: string }>(
      `select site from unnest($1::uuid[], $2::text[]) as merged (site, head)
       where not exists (
         select 1 from log.sites where sites.site = merged.site and sites.head = merged.head
           and (holder is null or held_until < clock_timestamp())
       )`,
      toLists(publishes),
    )
    return rows.map((row) => row.site)
  }

  /** Returns those of the keys that entries have and that are valid at that time. */
  async takenKeys(keys: readonly string[], time: number): Promise<string[]> {
    if (keys.length === 0) return []
    const rows = await this.#database.query<{ hash: string }>(
      `select hash from log.keys where hash = any ($1) and ${KEPT} > $2`,
      [keys, time],
    )
    return rows.map(({ hash }) => hash)
  }

  /** Returns the number of the newest entry that left main at one of these commits; undefined if there is none. */
  async newestAt(site: string, commits: readonly Oid[]): Promise<number | undefined> {
    const [row] = await this.#database.query<Row>(
      'select max(number) as number from log.entries where site = $1 and new = any ($2)',
      [site, commits],
    )
    return row?.['number'] == null ? undefined : Number(row['number'])
  }

  /** Returns the next moves of main after a number, in order. */
  async entriesAfter(site: string, number: number, limit: number): Promise<Entry[]> {
    const rows = await this.#database.query<Row>(
      `select number, batch, old, new, packs, time, message from log.entries
       where site = $1 and number > $2 and ref = '${MAIN}' order by number limit $3`,
      [site, number, limit],
    )
    return rows.map((row) => ({ ...row, number: Number(row['number']), time: Number(row['time']) }) as Entry)
  }

  /** Records that pieces of the batch come before its entry. */
  async stage(batch: string): Promise<void> {
    await this.#database.write('insert into log.staged (batch) values ($1)', [batch])
  }

  async addPiece(batch: string, pack: number, number: number, bytes: Buffer): Promise<void> {
    await this.#database.write('insert into log.pieces (batch, pack, number, bytes) values ($1, $2, $3, $4)', [
      batch,
      pack,
      number,
      bytes,
    ])
  }

  /** Returns the first piece of the first pack of each batch that has one. */
  async firstPieces(batches: readonly string[]): Promise<Map<string, Buffer>> {
    const rows = await this.#database.query<{ batch: string; bytes: Buffer }>(
      'select batch, bytes from log.pieces where batch = any ($1) and pack = 0 and number = 0',
      [batches],
    )
    return new Map(rows.map(({ batch, bytes }) => [batch, bytes]))
  }

  /** Returns one piece; undefined past the last. */
  async piece(batch: string, pack: number, number: number): Promise<Buffer | undefined> {
    const [row] = await this.#database.query<{ bytes: Buffer }>(
      'select bytes from log.pieces where batch = $1 and pack = $2 and number = $3',
      [batch, pack, number],
    )
    return row?.bytes
  }

  /**
   * Removes expired keys, and the content of change requests that ended a day ago. Also removes pieces of batches without an entry, once no
   * statement of theirs can still run.
   */
  async removeAbandoned(): Promise<void> {
    await this.#database.write(
      `with abandoned as (delete from log.staged where since < now() - ${STAGED} returning batch)
       delete from log.pieces using abandoned where pieces.batch = abandoned.batch`,
      [],
    )
    await this.#database.write(
      `with ended as (
         select site from log.sites join log.entries last using (site)
         where request_of is not null and head is null and last.number = sites.entries
           and ${READ} < extract(epoch from now())
       ),
       gone as (delete from log.entries using ended where entries.site = ended.site returning batch)
       delete from log.pieces using gone where pieces.batch = gone.batch`,
      [],
    )
    await this.#database.write(`delete from log.keys where ${KEPT} < extract(epoch from now())`, [])
  }
}

function toLists(publishes: readonly Publication[]): [requests: string[], heads: string[]] {
  return [publishes.map(({ request }) => request), publishes.map(({ head }) => head)]
}
