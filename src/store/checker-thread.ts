// The thread that reads objects to compare them with their ids: nobody who is served waits for it.

import { parentPort } from 'node:worker_threads'
import { ObjectDatabase } from '../git/object-database.js'
import type { Oid } from '../git/oid.js'
import { type Failure, toFailure } from './failure.js'
import { checkObject, type Damage, type Part, ServedObjects } from './served-objects.js'

/** The next part of what a repository serves, from the start unless the last request for a part was for it too; or some objects. */
export type CheckRequest = { ticket: number; gitdir: string; oids?: readonly Oid[] }

export type CheckReply = { ticket: number } & ({ part: Part } | { failure: Failure })

/** What is under way, one repository at a time. */
let walk: { gitdir: string; served: ServedObjects } | undefined
let last: Promise<void> = Promise.resolve()

parentPort?.on('message', (request: CheckRequest) => {
  last = last.then(() => answer(request))
})

async function answer({ ticket, gitdir, oids }: CheckRequest): Promise<void> {
  let reply: CheckReply
  try {
    reply = { ticket, part: await (oids === undefined ? checkPart(gitdir) : checkObjects(gitdir, oids)) }
  } catch (error) {
    reply = { ticket, failure: toFailure(error) }
  }
  parentPort?.postMessage(reply)
}

async function checkPart(gitdir: string): Promise<Part> {
  if (walk?.gitdir !== gitdir) {
    walk?.served.close()
    walk = { gitdir, served: new ServedObjects(gitdir) }
  }
  const { served } = walk
  let isOver = true
  try {
    const part = await served.checkPart()
    isOver = part.isOver
    return part
  } finally {
    if (isOver) {
      served.close()
      walk = undefined
    }
  }
}

async function checkObjects(gitdir: string, oids: readonly Oid[]): Promise<Part> {
  const odb = new ObjectDatabase(gitdir, { cacheBytes: 1 })
  const damages: Damage[] = []
  let bytes = 0
  try {
    for (const oid of oids) {
      const found = await checkObject(gitdir, odb, oid)
      bytes += found.bytes
      if (found.what !== undefined) damages.push({ oid, what: found.what })
    }
    return { bytes, damages, isOver: true }
  } finally {
    odb.close()
  }
}
