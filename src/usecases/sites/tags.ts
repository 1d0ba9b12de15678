// The tags of a site: as a list, and by the commits that they name.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { MAX_TAGS_OF_COMMIT, type TagData } from '../../../schemas/commits.js'
import { toTimestamp } from '../../model/clock.js'
import type { AdvertisedRefs } from '../../repository/protocol/repository.js'
import type { AtSite, Call, Finding } from '../context/call.js'
import { DEFAULT_LIMIT, type ResourceId, type SliceInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { takeSlice } from '../context/slice.js'
import { findSite } from '../context/target.js'

type Tag = AdvertisedRefs['tags'][number]
type TagNote = ReturnType<Services['store']['commits']['tagNote']>

const PREFIX = 'refs/tags/'
/** Annotated tags to read in one turn of the event loop: each is an object of the repository. */
const READ_A_TURN = 10

/** Lists tags by name, as git orders them. */
export async function listTags(asked: Call<Finding>, input: ResourceId & SliceInput): Promise<Result<TagData[]>> {
  const { indexFollower, store } = asked
  const call = { ...asked, site: findSite(asked, input.id) }
  const { site } = call
  const slice = { cursor: input.cursor, limit: input.limit ?? DEFAULT_LIMIT }
  const { rows, nextCursor } = takeSlice('tags', store.reader.refs(site).tags, keyOf, slice)
  const named = rows.map(commitOf)
  const known = await indexFollower.read(site, ({ commits }) => new Set(commits.onMain(named)))
  const data: TagData[] = []
  for (const tag of rows) {
    if (data.length % READ_A_TURN === READ_A_TURN - 1) await nextTurn()
    const note = tag.peeled === undefined ? undefined : store.commits.tagNote(site, tag.oid)
    data.push(toTagData(tag, known.has(commitOf(tag)), note))
  }
  return { data, nextCursor }
}

function toTagData(tag: Tag, isOnMain: boolean, note: TagNote): TagData {
  return {
    name: nameOf(tag),
    oid: tag.oid,
    commit: isOnMain ? commitOf(tag) : null,
    author: note?.tagger?.name ?? null,
    message: note?.message ?? null,
    createdAt: note?.tagger === undefined ? null : toTimestamp(note.tagger.time),
    verified: note?.isSigned === true ? 'other' : 'none',
  }
}

/** Returns the tag names of each commit; only the first ones if there are very many. */
export function tagsOf({ store, site }: AtSite<'store'>, commits: readonly string[]): Map<string, string[]> {
  const found = new Map(commits.map((oid): [string, string[]] => [oid, []]))
  for (const tag of store.reader.refs(site).tags) {
    const names = found.get(commitOf(tag))
    if (names !== undefined && names.length < MAX_TAGS_OF_COMMIT) names.push(nameOf(tag))
  }
  return found
}

function nameOf({ name }: Tag): string {
  return name.slice(PREFIX.length)
}

function commitOf({ oid, peeled = oid }: Tag): string {
  return peeled
}

/** Returns a key that sorts as the bytes of the name do. */
function keyOf({ name }: Tag): string {
  return Buffer.from(name).toString('latin1')
}
