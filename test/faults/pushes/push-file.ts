// A push over HTTP of one file, as git makes it: it asks where main is, and sends one commit on top. The commit is made without a clone, so
// that many pushes go on at once.

import { Agent, request } from 'node:http'
import type { NewObject } from '../../../src/git/objects/object.js'
import { commandLines, packEntry, packOf, type PushTarget, sendPush } from '../../support/raw-push.js'
import { commitOf, folderAt, put, treeOf } from '../../support/random-push.js'

const MAIN = 'refs/heads/main'

export interface PushAnswer {
  status: number
  /** The words that git shows. */
  text: string
  retryAfter: string | undefined
  isLanded: boolean
  /** Whether others moved main meanwhile: the person pulls, and pushes again. */
  isLate: boolean
}

/** Pushes a file to the site whose repository is at `gitdir`. */
export async function pushFile(
  target: PushTarget,
  gitdir: string,
  [path, content]: readonly [path: string, content: string],
): Promise<PushAnswer> {
  const told = await askRefs(target)
  const [, before] = new RegExp(`([0-9a-f]{40}) ${MAIN}`).exec(told.text) ?? []
  if (told.status !== 200 || before === undefined) return { ...told, isLanded: false, isLate: false }
  const root = folderAt({ gitdir, head: before, first: before })
  put(root, path, { mode: '100644', content })
  const objects: NewObject[] = []
  const commit = commitOf(treeOf(root, objects), [before])
  const pack = packOf([...objects, commit].map(({ type, content: bytes }) => packEntry(type as 'blob', bytes)))
  const commands = commandLines([{ ref: MAIN, before, after: commit.oid }])
  const answer = await sendPush(target, Buffer.concat([commands, pack]))
  return {
    ...answer,
    isLanded: answer.status === 200 && answer.text.includes(`ok ${MAIN}`),
    isLate: /has moved meanwhile/.test(answer.text),
  }
}

/** Asks for the refs, as each push does first. */
function askRefs({ origin, key, slug = 'demo' }: PushTarget): Promise<Omit<PushAnswer, 'isLanded' | 'isLate'>> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${origin}/git/${slug}.git/info/refs?service=git-receive-pack`,
      { agent: new Agent(), headers: { Authorization: `Bearer ${key}` } },
      (answer) => {
        let text = ''
        answer.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, text, retryAfter: answer.headers['retry-after'] }),
        )
      },
    )
    sent.on('error', reject).end()
  })
}
