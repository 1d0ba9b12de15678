// Brings the main branch of a remote into an empty repository. The pack goes from the connection through `git index-pack`, which checks
// every object, to the disk; it is never held in memory.

import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { moveRef } from '../../git/repository/ref.js'
import { fetchPack, findBranch } from '../../git/remotes/fetch-pack.js'
import { atLeastRate } from '../../git/remotes/least-rate.js'
import { RemoteFailed } from '../../git/remotes/remote-failed.js'
import { openRemote, type RemoteOptions } from '../../git/remotes/remote.js'
import { COMMITTER, MAIN } from '../../repository/format/main-ref.js'
import { dropQuarantine, receivePack, type ReceiveOptions } from '../../repository/pushing/quarantine.js'

export interface FetchOptions extends ReceiveOptions {
  /** Start time, seconds. */
  time: number
  onProgress: (progress: FetchProgress) => void
  /** Called when the pack has arrived; git then still has to assemble and check its objects. */
  onReceived: () => void
}

export interface FetchProgress {
  receivedBytes: number
  /** Objects of the whole pack, by its header (gitformat-pack); null until that has come. */
  objects: number | null
}

const PACK_HEADER_BYTES = 12
const OBJECT_COUNT_AT = 8

/** Rejects with RemoteFailed, and with the errors of git and the disk. */
export async function fetchRemote(gitdir: string, from: RemoteOptions, options: FetchOptions): Promise<void> {
  const remote = await openRemote(from)
  try {
    const branch = await findBranch(remote)
    const quarantine = await receivePack(gitdir, counted(atLeastRate(fetchPack(remote, branch)), options), options)
    if (quarantine.pack === undefined) throw new RemoteFailed('The remote sent no objects.')
    const { id, path } = quarantine.pack
    for (const suffix of ['pack', 'idx'])
      renameSync(`${path}.${suffix}`, join(gitdir, 'objects', 'pack', `pack-${id}.${suffix}`))
    await dropQuarantine(quarantine)
    moveRef(gitdir, MAIN, undefined, branch.oid, {
      committer: { ...COMMITTER, time: options.time },
      message: 'import',
    })
  } finally {
    remote.close()
  }
}

async function* counted(
  pack: AsyncIterable<Buffer>,
  { maxBytes, onProgress, onReceived }: FetchOptions,
): AsyncGenerator<Buffer, void> {
  let receivedBytes = 0
  let header = Buffer.alloc(0)
  for await (const chunk of pack) {
    receivedBytes += chunk.length
    if (receivedBytes > maxBytes)
      throw new RemoteFailed(`The repository is larger than ${maxBytes} bytes, as git packs it (MAX_PUSH_BYTES).`)
    if (header.length < PACK_HEADER_BYTES) header = Buffer.concat([header, chunk.subarray(0, PACK_HEADER_BYTES)])
    onProgress({
      receivedBytes,
      objects: header.length < PACK_HEADER_BYTES ? null : header.readUInt32BE(OBJECT_COUNT_AT),
    })
    yield chunk
  }
  onReceived()
}
