// A push over HTTP whose bytes are made beforehand, so that no client's own requests come between.

import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { commitFiles } from '../../scenarios/operators/operator.js'
import { git } from '../../support/git.js'
import { commandLines, packOf, type RawCommand, sendPush } from '../../support/raw-push.js'
import type { Ground, Sent } from '../ground/ground.js'

const MAIN = 'refs/heads/main'

export interface PreparedPush {
  /** The commit that main is to be. */
  after: string
  /**
   * 200 where every ref was moved, 507 where the push was refused with a sentence. Sent again, it brings what is still missing, as git
   * does, which asks first; where nothing is, it brings another commit.
   */
  send: () => Promise<Sent>
}

/** A commit on top of main that the service lacks. */
interface NewCommit {
  before: string
  after: string
  pack: Buffer
}

/** A commit of these files on top of main, and a tag of this name for it, where one is given. */
export function preparePush(ground: Ground, files: Record<string, string>, tag?: string): PreparedPush {
  const { before, after, pack } = commitOnMain(ground, files)
  const toMain: RawCommand = { ref: MAIN, before, after }
  const toTag: RawCommand[] = tag === undefined ? [] : [{ ref: `refs/tags/${tag}`, after }]
  const send = async () => {
    const isThere = ({ ref }: RawCommand) =>
      git(ground.gitdir(), 'for-each-ref', '--format=%(objectname)', ref) === after
    const isLanded = isThere(toMain)
    const commands = [toMain, ...toTag].filter((command) => !isThere(command))
    if (commands.length === 0) return await pushAnything(ground)
    const { status, text } = await sendPush(
      ground.target,
      Buffer.concat([commandLines(commands), isLanded ? packOf([]) : pack]),
    )
    return status === 200 ? reported(text, commands) : { status, body: {} }
  }
  return { after, send }
}

/** A commit of these files on top of main, to be proposed. Sent again, it makes another change request. */
export function prepareProposal(ground: Ground, files: Record<string, string>): PreparedPush {
  const { after, pack } = commitOnMain(ground, files)
  const commands = [{ ref: 'refs/for/main', after }]
  const send = async () => {
    const { status, text } = await sendPush(ground.target, Buffer.concat([commandLines(commands), pack]))
    return status === 200 ? reported(text, commands) : { status, body: {} }
  }
  return { after, send }
}

function commitOnMain(ground: Ground, files: Record<string, string>): NewCommit {
  const clone = join(ground.folder, 'pusher')
  if (!existsSync(clone)) git(ground.folder, 'clone', '--quiet', `file://${ground.gitdir()}`, clone)
  git(clone, 'fetch', '--quiet')
  git(clone, 'reset', '--hard', '--quiet', 'origin/main')
  const before = git(clone, 'rev-parse', 'HEAD')
  commitFiles(clone, 'Push', files)
  const after = git(clone, 'rev-parse', 'HEAD')
  const pack = execFileSync('git', ['-C', clone, 'pack-objects', '--revs', '--thin', '--stdout', '--quiet'], {
    input: `${after}\n^${before}\n`,
    maxBuffer: 1 << 28,
  })
  return { before, after, pack }
}

/** Pushes a new file, together with the leftovers of a failure. */
async function pushAnything(ground: Ground): Promise<Sent> {
  return await preparePush(ground, { 'anything.html': randomUUID() }).send()
}

function reported(text: string, commands: readonly RawCommand[]): Sent {
  if (commands.every(({ ref }) => text.includes(`ok ${ref}`))) return { status: 200, body: {} }
  const [, sentence] = /palimpsest: refused: ([^\n]+)/.exec(text) ?? []
  const said = sentence ?? /ng refs\/tags\/\S+ (git could not set the tag[^\n]*)/.exec(text)?.[1]
  return said === undefined
    ? { status: 500, body: { error: { code: text } } }
    : { status: 507, body: { error: { code: said } } }
}
