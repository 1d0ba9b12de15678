// Pushes over HTTP as operations that a sweep harms: one for each way in which a push is received and judged.

import { randomBytes } from 'node:crypto'
import { git } from '../../support/git.js'
import { type Ground, inTime } from '../ground/ground.js'
import { between, type Operation, type State, tagOf } from '../sweeps/operations.js'
import { closeOpen, listRequests, stateIn } from '../sweeps/request-operations.js'
import { type PreparedPush, preparePush, prepareProposal } from './prepared-push.js'

/** Above a mebibyte, git judges a push at once (judge.ts). */
const LARGE_BYTES = 1_100_000

export const PUSHES: readonly Operation[] = [
  {
    name: 'plain push',
    prepare: (ground, id) => trialOf(ground, id, { [`${id}.html`]: 'new' }),
  },
  {
    // Rules and tags are judged by git and the hook.
    name: 'judged push',
    prepare: (ground, id) => trialOf(ground, id, { [`${id}.html`]: 'new', _redirects: `/old-${id} /${id}\n` }, id),
  },
  {
    name: 'large push',
    prepare: (ground, id) =>
      trialOf(ground, id, { [`${id}.html`]: 'new', 'large.txt': randomBytes(LARGE_BYTES).toString('latin1') }),
  },
  {
    // It makes a change request. After a kill nobody knows its number, and the same push makes another.
    name: 'proposed push',
    async prepare(ground, id) {
      await closeOpen(ground)
      await warm(ground, id)
      const push = prepareProposal(ground, { [`${id}.html`]: 'new' })
      return {
        send: () => inTime(push.send()),
        async observe() {
          const made = (await listRequests(ground, 'all')).filter(({ head }) => head === push.after)
          for (const request of made) if ((await stateIn(ground, request.id, id)) !== 'after') return 'neither'
          return made.length > 0 ? 'after' : 'before'
        },
      }
    },
  },
]

async function trialOf(
  ground: Ground,
  id: string,
  files: Record<string, string>,
  tag?: string,
): ReturnType<Operation['prepare']> {
  await warm(ground, id)
  const push = preparePush(ground, files, tag)
  return {
    // After a kill between main and the tag, the tag is pushed again (docs/git.md).
    goesOn: true,
    send: () => inTime(push.send()),
    observe: () => stateOf(ground, id, push, tag),
  }
}

/** The processes that start git and review pushes run already when calls are counted: those of a start are Node's own. */
async function warm(ground: Ground, id: string): Promise<void> {
  const sent = await preparePush(ground, { 'warm.html': id }).send()
  if (sent.status !== 200) throw new Error(JSON.stringify(sent))
}

/** A push that is live is recorded. Main alone, without the tag that follows it, is not yet the whole. */
async function stateOf(ground: Ground, id: string, push: PreparedPush, tag?: string): Promise<State> {
  const page = await between(ground, id, undefined, 'new')
  const isTagged = tag !== undefined && git(ground.gitdir(), 'tag', '--list', tag) !== ''
  if (page !== 'after') return isTagged ? 'neither' : page
  const commit = (await tagOf(ground, id))?.replaceAll('"', '')
  if (commit !== push.after || !(await isRecorded(ground, commit))) return 'neither'
  return tag === undefined || isTagged ? 'after' : 'before'
}

async function isRecorded(ground: Ground, commit: string): Promise<boolean> {
  const { body: sites } = await inTime(ground.api.get('/sites?slug=demo').expect(200))
  const [site] = (sites as { data: { id: string }[] }).data
  const { body } = await inTime(ground.api.get(`/sites/${site?.id}/commits/${commit}`).expect(200))
  return (body as { data: { push: object | null } }).data.push !== null
}
