// Lists the work of agents and keys in all sites that the caller sees, newest first. A run is the commits of one maker in one site, without
// a long pause between them.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RunData } from '../../../schemas/agents.js'
import type { Site } from '../../catalog/site.js'
import { ServiceError } from '../../model/errors.js'
import type { Call, Finding } from '../context/call.js'
import type { SliceInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import { invalidCursor, makeCursor, readCursor } from '../context/slice.js'
import { sitesInView } from '../context/target.js'
import { toRunData } from './run-data.js'
import { isProgram, MakerWalk, type RunHead } from './walk-runs.js'

const LIST = 'agent work'
const DEFAULT_RUNS = 20

/**
 * Lists the runs. Each site that has any costs a look-up for each of its makers. A run that goes on while the list is read in parts is in
 * the first part alone.
 */
export async function listRuns(
  call: Call<Finding | 'clock'>,
  { cursor, limit, maker }: SliceInput & { maker?: string },
): Promise<Result<RunData[]>> {
  const wanted = limit ?? DEFAULT_RUNS
  const after = cursor === undefined ? undefined : readPlace(cursor)
  const walks = await walksOf(call, after, maker)
  const data: RunData[] = []
  for (let last = ''; ; await nextTurn()) {
    const first = firstOf(walks)
    if (first === undefined) return { data, nextCursor: null }
    if (data.length === wanted) return { data, nextCursor: makeCursor(LIST, last) }
    data.push(await toRunData(call, first.walk.take()))
    last = first.place
  }
}

/** Returns a walk for each maker of each site, at its first run after the place. */
async function walksOf(call: Call<Finding>, after?: string, id?: string): Promise<MakerWalk[]> {
  const { principal, target, indexFollower } = call
  const sites = target.site === undefined ? await sitesInView(call) : [target.site]
  const seen = target.site?.id ?? (principal.sites === null ? '' : principal.id)
  const view = `${target.workspace.id} ${seen}`
  await indexFollower.catchUpAll(view, async () => sites)
  const walks: MakerWalk[] = []
  for (const site of sites) {
    walks.push(...walksIn(call, site, after, id))
    await nextTurn()
  }
  return walks.filter(({ next }) => next !== undefined)
}

/** A site that cannot be read does not hide the work in others. */
function walksIn({ indexFollower, store }: Call<Finding>, site: Site, after?: string, id?: string): MakerWalk[] {
  try {
    const makers = indexFollower.readBehind(site, (index) => index.makers.list()).filter(isProgram)
    const wanted = id === undefined ? makers : makers.filter((maker) => maker.endsWith(`: ${id}`))
    return wanted.map((maker) => {
      const walk = new MakerWalk({ indexFollower, store, site }, maker)
      if (after !== undefined) walk.startAfter(timeIn(after), (head) => placeOf(site, head) < after)
      return walk
    })
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return []
  }
}

function firstOf(walks: readonly MakerWalk[]): { walk: MakerWalk; place: string } | undefined {
  let first: { walk: MakerWalk; place: string } | undefined
  for (const walk of walks) {
    if (walk.next === undefined) continue
    const place = placeOf(walk.site, walk.next)
    if (first === undefined || place > first.place) first = { walk, place }
  }
  return first
}

/** Returns the key of the order: the highest comes first. */
function placeOf({ id }: Site, { time, oid }: RunHead): string {
  return `${String(time).padStart(12, '0')} ${id} ${oid}`
}

function timeIn(place: string): number {
  return Number(place.slice(0, 12))
}

function readPlace(cursor: string): string {
  const place = readCursor(LIST, cursor)
  if (/^\d{12} /.test(place)) return place
  throw invalidCursor()
}
