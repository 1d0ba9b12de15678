// Serves clones and fetches (gitprotocol-pack, gitprotocol-v2). Refs are listed from memory. Git itself sends objects, except a few
// small files. Objects that the advertised refs do not reach are neither sent nor mentioned (docs/decisions/0022-wants.md).

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Site } from '../../catalog/site.js'
import { inLargePieces } from '../../git/large-pieces.js'
import { FLUSH_PKT, pktLine, textOf } from '../../git/wire/pkt-lines.js'
import { ServiceError } from '../../model/errors.js'
import { FETCH_SECONDS } from '../../model/limits.js'
import type { FetchServer, FetchSource } from '../../repository/disk/fetching/serve-fetch.js'
import type { Services } from '../../usecases/context/services.js'
import { isOneRef, listRefs } from './advertisement.js'
import { bodyOf } from './body-of.js'
import { type FetchRequest, parseCommand, parseFetch, parseListWishes, readLines, withKnown } from './fetch-request.js'
import type { GitRequest } from './git-request.js'
import { reachable } from './reachable.js'
import { sendLong, setFields } from './send.js'

const RESULT = 'application/x-git-upload-pack-result'
/** A checkout of a partial clone names every file that it needs: 50 bytes each. */
const MAX_REQUEST_BYTES = 4 * 1024 * 1024
const MAX_REQUEST_LINES = 100_000
/** Interval at which a running fetch checks whether its site was deleted. */
const DELETION_CHECK_MS = 1000
/** Band for data of a pack (gitprotocol-common, side-band-64k). A line holds at most 65,516 bytes: the band and its data. */
const DATA_BAND = Buffer.from([1])
const BAND_BYTES = 65_515
/** Arguments with which the answer is only a pack of the wanted objects. */
const ARGUMENTS =
  /^(?:command=fetch|agent=.*|session-id=.*|object-format=sha1|want .*|done|thin-pack|no-progress|include-tag|ofs-delta|filter .*)$/

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

/** Serves a fetch. Throws ServiceError until the answer has begun. */
export async function serveUploadPack(services: Parts, fetch: Fetch): Promise<void> {
  const { 'content-length': length, 'content-encoding': coding } = fetch.request.headers
  const bytes = Math.min(coding === undefined ? Number(length ?? MAX_REQUEST_BYTES) : Infinity, MAX_REQUEST_BYTES)
  const memory = services.admission.memory.of('requests')
  await memory.during(fetch.site.workspaceId, bytes, () => answer(services, fetch))
}

async function answer(services: Parts, { site, version, request, response }: Fetch): Promise<void> {
  const lines = await readLines(bodyOf(request, MAX_REQUEST_BYTES), MAX_REQUEST_LINES)
  const { admission, store } = services
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
    const known = await reachable(services, site, source, asked, version)
    const refused = asked.wants.find((oid) => !known.has(oid))
    if (refused !== undefined) return await send(pktLine(`ERR upload-pack: not our ref ${refused}\n`))
    // git itself would end without a word over HTTP.
    const unknown = asked.excludes.find((name) => !isOneRef(source.refs, name))
    if (unknown !== undefined) return await send(pktLine(`ERR upload-pack: deepen-not is not a ref: ${unknown}\n`))
    const few = version === 2 ? await fewBlobs(store.fetches, source, asked) : undefined
    if (few !== undefined) return await send(few)
    await run(store, { site, version, source, input: await withKnown(asked, version, known), response })
  })
}

/**
 * Answers the fetch of a few small files without git, as starting git would take longer than all the rest. A partial clone sends such a
 * fetch for each file that it opens. All wants must be allowed. Returns undefined if git must answer.
 */
async function fewBlobs(
  fetches: FetchServer,
  source: FetchSource,
  { lines, wants }: FetchRequest,
): Promise<Buffer | undefined> {
  const pack = asksForNoMore(lines) ? await fetches.packOfBlobs(source, [...new Set(wants)]) : undefined
  return pack && inBand(pack)
}

function asksForNoMore(lines: FetchRequest['lines']): boolean {
  const texts = lines.filter((line) => Buffer.isBuffer(line)).map(textOf)
  return texts.includes('done') && texts.every((text) => ARGUMENTS.test(text))
}

function inBand(pack: Buffer): Buffer {
  const pieces = [pktLine('packfile\n')]
  for (let at = 0; at < pack.length; at += BAND_BYTES)
    pieces.push(pktLine(Buffer.concat([DATA_BAND, pack.subarray(at, at + BAND_BYTES)])))
  return Buffer.concat([...pieces, FLUSH_PKT])
}

/**
 * Runs git with the request as its input. If git is ended, an answer that has begun is cut off, so that the
 * client knows that something is missing. Git's own refusals are part of the answer.
 */
async function run(store: Parts['store'], { site, version, source, input, response }: Run): Promise<void> {
  if (response.destroyed) return
  const git = await store.fetches.uploadPack(source, {
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

async function passOn(printed: Readable, response: ServerResponse): Promise<void> {
  setFields(response, RESULT)
  await pipeline(inLargePieces(printed), response, { end: false })
}

function isDeleted(store: Parts['store'], site: Site): boolean {
  try {
    store.reader.refused.refuseDeleted(site)
    return false
  } catch {
    return true
  }
}
