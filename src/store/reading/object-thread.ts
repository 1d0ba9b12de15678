// The thread that reads large objects for a thread that serves visitors.

import { workerData } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { ObjectCorrupt, ObjectMissing } from '../../git/objects/errors.js'
import type { ObjectType } from '../../git/objects/object.js'
import type { Oid } from '../../git/objects/oid.js'
import { marksOfLarge, type TreeMarks } from '../../git/objects/tree-windows.js'
import { DiskRepositories } from '../disk/disk-repositories.js'
import { toFailure } from '../protocol/failure.js'
import type { Repository } from '../protocol/repository.js'
import type { SiteRef } from '../protocol/write.js'
import { serveRequests } from '../../threads/serve.js'
import { LONG_WORK_NICENESS, lowerThread } from '../../threads/giving-way.js'

/** The thread's `workerData`. */
export interface ObjectThreadData {
  dataDir: string
}

interface ReadObject {
  type: ObjectType
  content: ArrayBuffer
  /** The marks of a large tree, so that the serving thread need not find them. */
  marks: TreeMarks | undefined
}

export interface ObjectProtocol {
  request: { site: SiteRef; oid: Oid }
  answer: ReadObject | { missing: Oid } | { corrupt: string; oid: Oid | undefined }
  event: never
}

const MAX_OBJECT_BYTES = 32 * 1024 * 1024
const OPEN_SITES = 16

const { dataDir } = workerData as ObjectThreadData
lowerThread(LONG_WORK_NICENESS)
const repositories = new DiskRepositories(dataDir)
const open = new LRUCache<string, Repository>({ max: OPEN_SITES, dispose: (repository) => repository.close() })

const say = serveRequests<ObjectProtocol>((request, ticket) => {
  try {
    const answer = answerTo(request)
    const moved = 'content' in answer ? [answer.content, ...(answer.marks ? [answer.marks.buffer] : [])] : []
    say({ replies: [{ ticket, answer }] }, moved)
  } catch (error) {
    say({ replies: [{ ticket, failure: toFailure(error) }] })
  }
})

function answerTo({ site, oid }: ObjectProtocol['request']): ObjectProtocol['answer'] {
  try {
    return read(site, oid)
  } catch (error) {
    if (error instanceof ObjectMissing) return { missing: error.oid }
    if (error instanceof ObjectCorrupt) return { corrupt: error.message, oid: error.oid }
    throw error
  }
}

function read(site: SiteRef, oid: Oid): ObjectProtocol['answer'] {
  const repository = open.get(site.id) ?? repositories.open(site)
  open.set(site.id, repository)
  const { size } = repository.objects.readHeader(oid)
  if (size > MAX_OBJECT_BYTES) return { corrupt: `it has ${size} bytes, more than is ever read at once`, oid }
  const { type, content } = repository.objects.read(oid)
  // Copies it: the object itself stays in this thread's memory for deltas on it.
  const moved = new ArrayBuffer(content.length)
  content.copy(Buffer.from(moved))
  return { type, content: moved, marks: type === 'tree' ? marksOfLarge(content) : undefined }
}
