// The first answer of a git service, made from memory: its capabilities, main and tags,
// and nothing else (design §8).

import { FLUSH_PKT, pktLine, pktLines } from '../../git/wire/pkt-lines.js'
import { PUSH_CAPABILITIES } from '../../git/wire/push-report.js'
import { MAIN } from '../../repository/format/main-ref.js'
import type { AdvertisedRefs } from '../../repository/protocol/repository.js'
import type { GitRequest } from './git-request.js'

/** Equal for every client, so that it says nothing about the machine. */
const AGENT = 'agent=palimpsest'
const FORMAT = 'object-format=sha1'

/** Capabilities of protocols 0 and 1 (gitprotocol-capabilities). A `want` is checked before git runs, so it may be an ancestor of main. */
const UPLOAD_PACK = [
  'multi_ack multi_ack_detailed no-done thin-pack side-band side-band-64k ofs-delta no-progress include-tag',
  'shallow deepen-since deepen-not deepen-relative allow-tip-sha1-in-want allow-reachable-sha1-in-want',
  `symref=HEAD:${MAIN} ${FORMAT} ${AGENT}`,
].join(' ')

const RECEIVE_PACK = `${PUSH_CAPABILITIES} ${FORMAT} ${AGENT}`

/** The list of an empty repository (gitprotocol-pack, "Reference Discovery"). */
const NO_REFS = [`${'0'.repeat(40)} capabilities^{}\0${RECEIVE_PACK}\n`]

/** Capabilities of protocol 2 (gitprotocol-v2). */
const VERSION_2 = ['version 2', AGENT, 'ls-refs=unborn', 'fetch=shallow wait-for-done filter', FORMAT]

/**
 * Returns the answer to `info/refs`. A push uses protocol 0 or 1 in any case; in protocol 2 no refs are listed here. A push to a blank site
 * is told of no ref, as by an empty repository.
 */
export function advertisement(refs: () => AdvertisedRefs, { service, version }: GitRequest, isBlank = false): Buffer {
  const lines = [pktLine(`# service=${service}\n`), FLUSH_PKT]
  if (version === 2 && service === 'git-upload-pack') {
    lines.push(pktLines(VERSION_2.map((line) => `${line}\n`)))
  } else {
    if (version === 1) lines.push(pktLine('version 1\n'))
    const toPush = () => (isBlank ? NO_REFS : refsToPush(refs()))
    lines.push(pktLines(service === 'git-upload-pack' ? refsToFetch(refs()) : toPush()))
  }
  return Buffer.concat([...lines, FLUSH_PKT])
}

function refsToFetch({ main, tags }: AdvertisedRefs): string[] {
  const peeled = tags.flatMap(({ name, oid, peeled: target }) => [
    `${oid} ${name}\n`,
    ...(target === undefined ? [] : [`${target} ${name}^{}\n`]),
  ])
  return [`${main} HEAD\0${UPLOAD_PACK}\n`, `${main} ${MAIN}\n`, ...peeled]
}

function refsToPush({ main, tags }: AdvertisedRefs): string[] {
  return [`${main} ${MAIN}\0${RECEIVE_PACK}\n`, ...tags.map(({ name, oid }) => `${oid} ${name}\n`)]
}

/** With more prefixes, all refs are listed, as gitprotocol-v2 allows: each ref is compared with each prefix. */
const MAX_PREFIXES = 32

/** Arguments of `ls-refs` in protocol 2. */
export interface ListWishes {
  peel: boolean
  symrefs: boolean
  /** Full names of refs or their beginnings; empty for all refs. */
  prefixes: readonly string[]
}

/** The places in which git looks for a short name (gitrevisions). */
const PLACES = ['', 'refs/', 'refs/tags/', 'refs/heads/']

/** Whether the name, which may be short, stands for exactly one ref. */
export function isOneRef({ tags }: AdvertisedRefs, name: string): boolean {
  const wanted = new Set(PLACES.map((place) => place + name))
  const found = ['HEAD', MAIN].filter((ref) => wanted.has(ref)).length
  return found + tags.filter((tag) => wanted.has(tag.name)).length === 1
}

/** Returns the answer to `ls-refs` (gitprotocol-v2). Main always exists, so nothing is unborn. */
export function listRefs({ main, tags }: AdvertisedRefs, { peel, symrefs, prefixes }: ListWishes): Buffer {
  const isAll = prefixes.length === 0 || prefixes.length > MAX_PREFIXES
  const isWished = (name: string) => isAll || prefixes.some((prefix) => name.startsWith(prefix))
  const lines: string[] = []
  if (isWished('HEAD')) lines.push(`${main} HEAD${symrefs ? ` symref-target:${MAIN}` : ''}\n`)
  if (isWished(MAIN)) lines.push(`${main} ${MAIN}\n`)
  for (const { name, oid, peeled } of tags)
    if (isWished(name)) lines.push(`${oid} ${name}${peel && peeled !== undefined ? ` peeled:${peeled}` : ''}\n`)
  return Buffer.concat([pktLines(lines), FLUSH_PKT])
}
