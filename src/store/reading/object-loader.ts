// Reads large objects in a thread of its own. Sites take turns.

import { ObjectCorrupt, ObjectMissing } from '../../git/objects/errors.js'
import type { GitObject } from '../../git/objects/object.js'
import type { Oid } from '../../git/objects/oid.js'
import { rememberMarks } from '../../git/objects/tree-windows.js'
import { ENTRIES } from '../../threads/entries.js'
import type { SiteRef } from '../protocol/write.js'
import type { ObjectProtocol, ObjectThreadData } from './object-thread.js'
import { QueuedThread } from './queued-thread.js'

/** A hostile chain of deltas can make one object take minutes. */
const DEADLINE_MS = 10_000

export class ObjectLoader {
  readonly #thread: QueuedThread<ObjectProtocol>

  constructor(dataDir: string) {
    const workerData: ObjectThreadData = { dataDir }
    this.#thread = new QueuedThread({ entry: ENTRIES.objectThread, worker: { workerData } }, DEADLINE_MS)
  }

  /** Rejects with ObjectMissing, ObjectCorrupt, and `site_busy`. */
  async load(site: SiteRef, oid: Oid): Promise<GitObject> {
    const answer = await this.#thread.ask(site.id, { site, oid })
    if ('missing' in answer) throw new ObjectMissing(answer.missing)
    if ('corrupt' in answer) throw new ObjectCorrupt(`object ${oid}`, answer.corrupt, answer.oid)
    const content = Buffer.from(answer.content)
    if (answer.marks !== undefined) rememberMarks(content, answer.marks)
    return { type: answer.type, content }
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}
