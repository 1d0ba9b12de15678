// `palimpsest signing`: the keys that sign the service's commits.

import { setTimeout as pause } from 'node:timers/promises'
import { type Command, InvalidArgumentError } from 'commander'
import type { SignersOfNodes } from '../../nodes/opening/signers-of-nodes.js'
import { fromOpenSsh, type PublicKey, type Signer, toOpenSsh } from '../../git/objects/commit-signature.js'
import { noteSigners, ownKeyIn, readSigners, rotateKey } from '../../repository/disk/signing-key.js'
import { recordByOperator } from '../../usecases/context/audit.js'
import { printTable } from '../terminal/table.js'
import { type Offline, withOffline } from './offline.js'

interface Since {
  compromisedSince?: number
}

/** Milliseconds after which all nodes know a new key: each looks once a second. */
const KNOWN_MS = 2000

export function addSigning(program: Command): void {
  const signing = program.command('signing').description('the keys that sign the commits of the service')
  signing.command('list').description('list the keys that sign, or signed, on any node').action(list)
  withSince(
    signing
      .command('rotate')
      .description('make a new key here; a running service signs with it from its next commit on'),
  ).action(rotate)
  withSince(
    signing
      .command('revoke')
      .description('revoke the signing key of another node, or an old one; a node that used it makes a new one')
      .argument('<key>', 'as "signing list" shows it', parseKey),
  ).action(revoke)
}

function withSince(command: Command): Command {
  return command.option(
    '--compromised-since <time>',
    'accept its signatures only up to this time, such as 2027-01-31T00:00:00Z (default: now)',
    parseTime,
  )
}

async function list(): Promise<void> {
  await withSigners(async ({ config: { dataDir } }, nodes) => {
    const own = ownKeyIn(dataDir)
    const whereOf = (key: PublicKey) => (key === own ? 'signs here' : '')
    const untilOf = ({ until }: Signer) => (until === undefined ? '' : `until ${new Date(until * 1000).toISOString()}`)
    if (nodes === undefined)
      return printTable(
        ['key', 'ended', 'here'],
        readSigners(dataDir).map((signer) => [toOpenSsh(signer.key), untilOf(signer), whereOf(signer.key)]),
      )
    printTable(
      ['key', 'ended', 'node', 'since', 'here'],
      (await nodes.list()).map((signer) => [
        toOpenSsh(signer.key),
        untilOf(signer),
        signer.node,
        signer.toldAt.toISOString(),
        whereOf(signer.key),
      ]),
    )
  })
}

async function rotate({ compromisedSince }: Since): Promise<void> {
  await withSigners(async ({ config, clock, catalog }, nodes) => {
    const { hadKey, key } = await rotateKey(config.dataDir, {
      now: () => timeOf(clock, nodes),
      until: compromisedSince,
      async share(signers) {
        await nodes?.share(signers)
        if (nodes !== undefined && signers.some(({ until }) => until === undefined)) await pause(KNOWN_MS)
      },
    })
    await recordByOperator({ catalog }, { action: 'signing.rotate', target: `signer ${key}` })
    console.log(`The service signs with ssh-ed25519 ${toOpenSsh(key)}`)
    if (hadKey) adviseToReindex(compromisedSince, nodes)
  })
}

async function revoke(key: PublicKey, { compromisedSince }: Since): Promise<void> {
  await withSigners(async ({ config: { dataDir }, clock, catalog }, nodes) => {
    if (key === ownKeyIn(dataDir)) throw new Error('This key signs here: use "signing rotate".')
    const known = nodes === undefined ? readSigners(dataDir) : await nodes.list()
    if (!known.some((signer) => signer.key === key)) throw new Error('There is no such key. See "signing list".')
    const ended = [{ key, until: compromisedSince ?? (await timeOf(clock, nodes)) }]
    noteSigners(dataDir, ended)
    await nodes?.share(ended)
    await recordByOperator({ catalog }, { action: 'signing.revoke', target: `signer ${key}` })
    console.log(`Signatures made from now on with ssh-ed25519 ${toOpenSsh(key)} do not count.`)
    adviseToReindex(compromisedSince, nodes)
  })
}

function adviseToReindex(compromisedSince: number | undefined, nodes: SignersOfNodes | undefined): void {
  if (compromisedSince === undefined) return
  const where = nodes === undefined ? '' : ' (on each node)'
  console.log(`To reject the signatures that it made since then, rebuild the index${where}: palimpsest reindex`)
}

/** Runs `work` with the signers. The code of nodes is loaded only if there are nodes. */
export async function withSigners(work: (parts: Offline, nodes?: SignersOfNodes) => Promise<void>): Promise<void> {
  await withOffline(async (parts) => {
    const { databaseUrl } = parts.config
    if (databaseUrl === undefined) return await work(parts)
    const { withSignersOfNodes } = await import('../../nodes/opening/signers-of-nodes.js')
    await withSignersOfNodes(databaseUrl, parts.config, (nodes) => work(parts, nodes))
  })
}

/** Returns the time by which commits are dated, in seconds since the epoch. */
async function timeOf(clock: () => Date, nodes: SignersOfNodes | undefined): Promise<number> {
  return nodes === undefined ? Math.floor(clock().getTime() / 1000) : await nodes.now()
}

function parseKey(text: string): PublicKey {
  const key = fromOpenSsh(text.replace(/^ssh-ed25519 /, ''))
  if (key === undefined) throw new InvalidArgumentError('Give a key as "signing list" shows it.')
  return key
}

function parseTime(text: string): number {
  const time = Date.parse(text)
  if (!/^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(time))
    throw new InvalidArgumentError('Give a time such as 2027-01-31T00:00:00Z.')
  if (time > Date.now()) throw new InvalidArgumentError('Give a time that has passed.')
  return Math.floor(time / 1000)
}
