// Writes logs like those after years directly into the tables: many sites with one entry each, and one site with many.

import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { encodeCommit } from '../../src/git/objects/commit.js'
import { type NewObject, newObject } from '../../src/git/objects/object.js'
import { MODE_BLOB, patchTree } from '../../src/git/objects/tree.js'
import type { Oid } from '../../src/git/objects/oid.js'
import { encodePack } from '../../src/git/storage/pack-writer.js'
import { firstCommitOf } from '../../src/repository/format/first-commit.js'
import { COMMITTER, MAIN } from '../../src/repository/format/main-ref.js'

const SECOND = 1_790_000_000
const PAGES = 10
const BYTES = 2048
const ROWS_AT_ONCE = 500

export interface LoggedSite {
  id: string
  slug: string
}

interface Entry {
  site: string
  number: number
  old: Oid | null
  head: Oid
  objects: readonly NewObject[]
}

/** Adds empty sites to the first workspace. */
export async function addSites(url: string, count: number): Promise<LoggedSite[]> {
  const sites = Array.from({ length: count }, (_, i) => ({ id: randomUUID(), slug: `many-${i}` }))
  await withClient(url, async (client) => {
    for (let at = 0; at < count; at += ROWS_AT_ONCE) {
      const some = sites.slice(at, at + ROWS_AT_ONCE)
      await append(
        client,
        some.map((site) => {
          const { commit, objects } = firstCommitOf(site, SECOND)
          return { site: site.id, number: 1, old: null, head: commit.oid, objects }
        }),
      )
      await client.query(
        `INSERT INTO catalog.sites (id, workspace_id, slug, state, created_at)
         SELECT id, (SELECT id FROM catalog.workspaces LIMIT 1), slug, 'live', '2026-01-01T00:00:00Z'
         FROM unnest($1::text[], $2::text[]) AS t (id, slug)`,
        [some.map(({ id }) => id), some.map(({ slug }) => slug)],
      )
    }
  })
  return sites
}

/** Adds publishes of pages of 2 KB, one after the other. The site must have none yet. */
export async function addEntries(url: string, site: LoggedSite, count: number): Promise<void> {
  const { commit: first, objects } = firstCommitOf(site, SECOND)
  let [parent, tree] = [first.oid, objects.find(({ type }) => type === 'tree')?.content ?? Buffer.alloc(0)]
  await withClient(url, async (client) => {
    for (let number = 2; number < count + 2; ) {
      const entries: Entry[] = []
      for (; entries.length < ROWS_AT_ONCE && number < count + 2; number++) {
        const blob = newObject('blob', Buffer.from(`<!doctype html><p>${number}`.padEnd(BYTES, ' lorem ipsum')))
        tree = patchTree(tree, [{ name: `page-${number % PAGES}.html`, mode: MODE_BLOB, oid: blob.oid }])
        const root = newObject('tree', tree)
        const who = { ...COMMITTER, time: SECOND + number }
        const content = encodeCommit({
          tree: root.oid,
          parents: [parent],
          author: who,
          committer: who,
          message: 'Replace\n',
        })
        const commit = newObject('commit', content)
        entries.push({ site: site.id, number, old: parent, head: commit.oid, objects: [blob, root, commit] })
        parent = commit.oid
      }
      await append(client, entries)
    }
  })
}

async function append(client: Client, entries: readonly Entry[]): Promise<void> {
  const rows = entries.map(({ site, number, old, head, objects }) => {
    const { id, pack, index } = encodePack(objects)
    const packs = JSON.stringify([{ id, bytes: pack.length, indexBytes: index.length }])
    return { site, number, old, head, batch: randomUUID(), packs, piece: Buffer.concat([pack, index]) }
  })
  const column = (name: keyof (typeof rows)[0]) => rows.map((row) => row[name])
  await client.query('BEGIN')
  await client.query(
    `INSERT INTO log.entries (site, number, batch, ref, old, new, packs, time, message)
     SELECT site, number, batch, '${MAIN}', old, new, packs, ${SECOND} + number, 'Replace'
     FROM unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::text[], $5::text[], $6::jsonb[])
       AS t (site, number, batch, old, new, packs)`,
    [column('site'), column('number'), column('batch'), column('old'), column('head'), column('packs')],
  )
  await client.query(
    'INSERT INTO log.pieces (batch, pack, number, bytes) SELECT batch, 0, 0, bytes FROM unnest($1::uuid[], $2::bytea[]) AS t (batch, bytes)',
    [column('batch'), column('piece')],
  )
  await client.query(
    `INSERT INTO log.sites (site, head, entries)
     SELECT DISTINCT ON (site) site, head, number FROM unnest($1::uuid[], $2::bigint[], $3::text[]) AS t (site, number, head)
     ORDER BY site, number DESC
     ON CONFLICT (site) DO UPDATE SET head = excluded.head, entries = excluded.entries, changed = pg_current_xact_id()`,
    [column('site'), column('number'), column('head')],
  )
  await client.query('COMMIT')
}

async function withClient(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
