// Serves clones and fetches (gitprotocol-pack, gitprotocol-v2). Refs are listed from memory. Git itself sends objects, except a few
// small files. Objects that the advertised refs do not reach are neither sent nor mentioned (docs/decisions/0022-wants.md).

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Site } from '../../catalog/site.js'
import { inLargePieces } from '../../git/large-pieces.js'
import { pktLine } from '../../git/wire/pkt-lines.js'
import { ServiceError } from '../../model/errors.js'
import { FETCH_SECONDS } from '../../model/limits.js'
import type { FetchSource } from '../../repository/disk/fetching/serve-fetch.js'
import type { Services } from '../../usecases/context/services.js'
import { isOneRef, listRefs } from './advertisement.js'
import { bodyOf } from './body-of.js'
import { fewBlobs } from './few-blobs.js'
import { parseCommand, parseFetch, parseListWishes, readLines, withKnown } from './fetch-request.js'
import type { GitRequest } from './git-request.js'
import { reachable } from './reachable.js'
import { sendLong, setFields } from './send.js'

const RESULT = 'application/x-git-upload-pack-result'
/** A checkout of a partial clone names every file that it needs: 50 bytes each. */
const MAX_REQUEST_BYTES = 4 * 1024 * 1024
const MAX_REQUEST_LINES = 100_000
/** Interval at which a running fetch checks whether its site was deleted. */
const DELETION_CHECK_MS = 1000

type Parts = Pick<Services, 'admission' | 'store' | 'indexFollower'>

export interface Fetch {
  site: Site
  version: GitRequest['version']
  request: IncomingMessage
  response: ServerResponse
}

interface Run {
  site: Site
  version: GitRequest['version']
  source: FetchSource
  input: Buffer
  response: ServerResponse
}

export class UploadPack {
  readonly #services: Parts

  constructor(services: Parts) {
    this.#services = services
  }

  /** Serves a fetch. Throws ServiceError until the answer has begun. */
  async serve(fetch: Fetch): Promise<void> {
    const { 'content-length': length, 'content-encoding': coding } = fetch.request.headers
    const bytes = Math.min(coding === undefined ? Number(length ?? MAX_REQUEST_BYTES) : Infinity, MAX_REQUEST_BYTES)
    const memory = this.#services.admission.memory.of('requests')
    await memory.during(fetch.site.workspaceId, bytes, () => this.#answer(fetch))
  }

  async #answer({ site, version, request, response }: Fetch): Promise<void> {
    const lines = await readLines(bodyOf(request, MAX_REQUEST_BYTES), MAX_REQUEST_LINES)
    const { admission, store } = this.#services
    const source = store.fetchSource(site)
    const send = (bytes: Buffer) => sendLong(admission.answers, site.workspaceId, response, RESULT, bytes)
    if (version === 2) {
      const { command, args } = parseCommand(lines)
      if (command === 'command=ls-refs') return await send(listRefs(source.refs, parseListWishes(args)))
      if (command !== 'command=fetch')
        throw new ServiceError('invalid_body', 'The server does not support this git command.')
    }
    const asked = await parseFetch(lines, version)
    if (asked.wants.length === 0) return await send(Buffer.alloc(0))
    await admission.gate('git-fetches').during(site.workspaceId, async () => {
      const known = await reachable(this.#services, site, source, asked, version)
      const refused = asked.wants.find((oid) => !known.has(oid))
      if (refused !== undefined) return await send(pktLine(`ERR upload-pack: not our ref ${refused}\n`))
      // git itself would end without a word over HTTP.
      const unknown = asked.excludes.find((name) => !isOneRef(source.refs, name))
      if (unknown !== undefined) return await send(pktLine(`ERR upload-pack: deepen-not is not a ref: ${unknown}\n`))
      const few = version === 2 ? await fewBlobs(store.repositories.fetches, source, asked) : undefined
      if (few !== undefined) return await send(few)
      await this.#run({ site, version, source, input: await withKnown(asked, version, known), response })
    })
  }

  /**
   * Runs git with the request as its input. If git is ended, an answer that has begun is cut off, so that the
   * client knows that something is missing. Git's own refusals are part of the answer.
   */
  async #run({ site, version, source, input, response }: Run): Promise<void> {
    const { store } = this.#services
    if (response.destroyed) return
    const git = await store.repositories.fetches.uploadPack(source, {
      protocol: version,
      maxMs: FETCH_SECONDS * 1000,
    })
    const watch = setInterval(() => isDeleted(store, site) && response.destroy(), DELETION_CHECK_MS)
    try {
      git.stdin.end(input)
      await passOn(git.stdout, response)
      const exitCode = await git.ended
      if (!response.headersSent) throw new Error(`git upload-pack ended with ${exitCode} and said nothing`)
      if (exitCode === undefined) response.destroy()
      else response.end()
    } catch (error) {
      if (!response.headersSent && !response.destroyed) throw error
      response.destroy()
    } finally {
      clearInterval(watch)
      git.stop()
    }
  }
}

async function passOn(printed: Readable, response: ServerResponse): Promise<void> {
  setFields(response, RESULT)
  await pipeline(inLargePieces(printed), response, { end: false })
}

function isDeleted(store: Parts['store'], site: Site): boolean {
  try {
    store.refuseDeleted(site)
    return false
  } catch {
    return true
  }
}
