// The home of a site: the one of the live nodes to which the others send what writes to it, so that its queue, batches and order are
// one. Nodes that differ about who lives differ about homes for a moment, which costs a retry and never correctness.

import { createHash } from 'node:crypto'

/** The first characters of what only one node has: a deploy's id, and the random part of a preview's label. */
const MARK_CHARACTERS = 8

/** The address of the site's home: by rendezvous hashing, a node that comes or goes moves its own sites alone. */
export function homeOf(siteId: string, addresses: readonly string[]): string | undefined {
  const byWeight = addresses.toSorted((a, b) => (digestOf(`${a} ${siteId}`) < digestOf(`${b} ${siteId}`) ? -1 : 1))
  return byWeight[0]
}

/** Hexadecimal characters that tell the node at this address from the others. */
export function markOf(address: string): string {
  return digestOf(address).slice(0, MARK_CHARACTERS)
}

/** The address of the node with the mark with which this begins. */
export function holderOf(marked: string, addresses: readonly string[]): string | undefined {
  const mark = marked.slice(0, MARK_CHARACTERS).toLowerCase()
  return addresses.find((address) => markOf(address) === mark)
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
