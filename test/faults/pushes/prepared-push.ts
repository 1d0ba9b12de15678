// One push over HTTP whose bytes are made beforehand, so that no client's own requests come between.

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { commitFiles } from '../../scenarios/operators/operator.js'
import { git } from '../../support/git.js'
import { commandLines, sendPush } from '../../support/raw-push.js'
import type { Ground, Sent } from '../ground/ground.js'

/** 200 where main was moved, 409 where the push was refused. */
export function preparePush(ground: Ground, files: Record<string, string>): () => Promise<Sent> {
  const clone = join(ground.folder, 'pusher')
  if (!existsSync(clone)) git(ground.folder, 'clone', '--quiet', `file://${ground.gitdir()}`, clone)
  git(clone, 'fetch', '--quiet')
  git(clone, 'reset', '--hard', '--quiet', 'origin/main')
  const before = git(clone, 'rev-parse', 'HEAD')
  commitFiles(clone, 'Push', files)
  const after = git(clone, 'rev-parse', 'HEAD')
  const pack = execFileSync('git', ['-C', clone, 'pack-objects', '--revs', '--thin', '--stdout', '--quiet'], {
    input: `${after}\n^${before}\n`,
  })
  const body = Buffer.concat([commandLines([{ ref: 'refs/heads/main', before, after }]), pack])
  return async () => {
    const { status, text } = await sendPush(ground.target, body)
    if (status !== 200) return { status, body: {} }
    return { status: text.includes('ok refs/heads/main') ? 200 : 409, body: {} }
  }
}
