// A search for requests and pushes of one tenant that another tenant feels. A good neighbour's visitor, reader and publisher run in a
// process of their own during each random attack. Their longest wait is compared with a bound, and on a busy machine with their wait
// without the attack. An attack that exceeds both is tried again, shrunk to the smallest that still does, and printed.
//
// NEIGHBOURS_SECONDS is how long it searches (300), NEIGHBOURS_SEED repeats a search, NEIGHBOURS_STALL_MS is the bound (1000).

import * as fc from 'fast-check'
import { HelperProcess } from '../../../bench/neighbours/helper-process.js'
import type { Felt, ToNeighbour } from '../../../bench/neighbours/neighbour.js'
import { push, type PushedCommit, type Objects } from '../../../bench/neighbours/push.js'
import { makeTenant, Tenant } from '../../../bench/neighbours/tenant.js'
import { runService } from '../../../bench/ground/running-service.js'
import { type KnownNames, type PushAttack, type RandomAttack, randomAttack } from '../load/random-attack.js'
import type { FaultProgram, Report } from '../program.js'

const SEARCH_MS = Number(process.env['NEIGHBOURS_SECONDS'] ?? 300) * 1000
const MAX_STALL_MS = Number(process.env['NEIGHBOURS_STALL_MS'] ?? 1000)
/** The bound on a busy machine, relative to the waits without an attack. */
const MAX_RATIO = 3
/** Times in a row that a bound must be exceeded to count. */
const TRIES = 3
const RUN_MS = 1500
const MAX_RUNS = Number.MAX_SAFE_INTEGER
const MAX_SEED = 2 ** 31
const SHOWN_CHARACTERS = 600
const UNKNOWN_ID = '11111111-1111-4111-8111-111111111111'

export const neighbours: FaultProgram = {
  name: 'neighbours',
  about: 'random requests and pushes of one tenant; another tenant must not wait for them',
  needs: [],
  run: (report) => searchAttacks(report, SEARCH_MS),
}

export async function searchAttacks(report: Report, searchMs: number): Promise<void> {
  const service = await runService()
  const neighbour = new HelperProcess<ToNeighbour>('neighbour')
  try {
    const bad = new Tenant(await makeTenant(service, 'bad'))
    await neighbour.ask({ prepare: { tenant: await makeTenant(service, 'good'), slug: 'good' } })
    const known = await makeNames(bad)
    const harmless = fc.asyncProperty(randomAttack(known), async (attack) => {
      report.begin(describe(attack))
      const harms: string[] = []
      for (let tried = 0; tried < TRIES; tried++) {
        const harm = await harmOf(attack, bad, neighbour)
        if (harm === undefined) return
        harms.push(harm)
      }
      throw new Error(harms.join('; '))
    })
    const seed = Number(process.env['NEIGHBOURS_SEED'] ?? Math.trunc(Math.random() * MAX_SEED))
    console.log(`NEIGHBOURS_SEED=${seed} repeats this search`)
    const found = await fc.check(harmless, { numRuns: MAX_RUNS, interruptAfterTimeLimit: searchMs, seed })
    console.log(`seed ${seed}, ${found.numRuns} attacks`)
    if (found.counterexample !== null) {
      const [attack] = found.counterexample
      report.violate(`${describe(attack)}: ${String(found.errorInstance)}; seed ${found.seed}`)
    }
  } finally {
    await neighbour.end()
    await service.stop()
  }
}

async function makeNames(tenant: Tenant): Promise<KnownNames> {
  const page = await tenant.putPage('/page', '<title>page</title>'.padEnd(500_000, '<p>text</p>\n'))
  await tenant.putPage('/page', '<title>page</title>'.padEnd(500_000, '<p>other</p>\n'))
  const collection = await tenant.must<{ id: string }>('/collections', { body: '{"name":"any"}' })
  const record = await tenant.must<{ id: string }>(`/collections/${collection.id}/records`, {
    body: JSON.stringify({ data: { t: 'a'.repeat(500_000) } }),
  })
  const [site] = await tenant.must<{ id: string }[]>('/sites')
  return {
    ids: [page.id, collection.id, record.id, site?.id ?? UNKNOWN_ID, UNKNOWN_ID],
    oids: [page.etag.slice(1, -1), '1'.repeat(40)],
  }
}

/** Describes harm to the neighbour, or a wrong answer to the attack; undefined if there is none. */
async function harmOf(
  attack: RandomAttack,
  bad: Tenant,
  neighbour: HelperProcess<ToNeighbour>,
): Promise<string | undefined> {
  const act = attack.kind === 'request' ? () => send(attack, bad) : await preparePush(attack, bad)
  const [felt, ...answers] = await Promise.all([
    neighbour.ask<Felt>({ runForMs: RUN_MS }),
    ...Array.from({ length: attack.atOnce }, act),
  ])
  const failure = answers.find((status) => status === 0 || status === 500)
  if (failure !== undefined) return `answered ${failure}`
  const refused = Object.entries(felt).find(([, { failures }]) => failures.length > 0)
  if (refused !== undefined) return `a ${refused[0]} got ${refused[1].failures.join(' ')}`
  const waited = longestIn(felt)
  if (waited.ms <= MAX_STALL_MS) return undefined
  const quiet = longestIn(await neighbour.ask<Felt>({ runForMs: RUN_MS }))
  if (waited.ms <= MAX_RATIO * quiet.ms) return undefined
  return `a ${waited.role} waited ${waited.ms.toFixed(0)} ms, and without it ${quiet.ms.toFixed(0)}`
}

function longestIn(felt: Felt): { role: string; ms: number } {
  const longest = Object.entries(felt).map(([role, { times }]) => ({ role, ms: Math.max(0, ...times) }))
  return longest.reduce((most, one) => (one.ms > most.ms ? one : most))
}

async function send(attack: Extract<RandomAttack, { kind: 'request' }>, bad: Tenant): Promise<number> {
  const { method, path, body } = attack
  const query = attack.isDryRun && method !== 'get' ? `${path.includes('?') ? '&' : '?'}dryRun=true` : ''
  const headers = { authorization: `Bearer ${bad.data.adminKey}`, 'if-match': '*' }
  const asked = { method: method.toUpperCase(), headers, ...(body !== undefined && { body }) }
  return (await bad.api(path + query, asked)).status
}

/** Pushes to a site of its own, then requests the result. Refusing the push is a good answer. */
async function preparePush(attack: PushAttack, bad: Tenant): Promise<() => Promise<number>> {
  const { id, slug, gitdir } = await bad.makeSite()
  const refusal = await push(gitdir, (objects) => commitOf(attack, objects))
  if (refusal !== undefined) return () => Promise.resolve(400)
  return async () => {
    const answers = [
      await bad.visit(slug, '/sitemap.xml'),
      await bad.visit(slug, '/p'),
      await bad.api(`/sites/${id}/checks`),
      await bad.api(`/sites/${id}/commits`),
      await bad.api('/pages', { headers: { 'x-service-site-id': id } }),
    ]
    return answers.find(({ status }) => status === 0 || status === 500)?.status ?? 200
  }
}

async function commitOf({ what, count, text }: PushAttack, objects: Objects): Promise<PushedCommit[]> {
  const page = '<title>p</title>'
  switch (what) {
    case 'message':
      return [{ message: text.repeat(count), files: { 'p.html': page } }]
    case 'page':
      return [{ files: { 'p.html': text.repeat(count) } }]
    case 'rules':
      return [{ files: { _redirects: `/${text.replaceAll(/\s/g, '')}/* /x/:splat\n`.repeat(count), 'p.html': page } }]
    default: {
      const [levels, width] = what === 'deep' ? [count, 1] : [3, count]
      const blob = await objects.blob(page)
      const names = Array.from({ length: width }, (_, number) => `f${String(number).padStart(3, '0')}`)
      let tree = await objects.tree(names.map((name) => `100644 blob ${blob}\t${name}.html`))
      for (let level = 1; level < levels; level++)
        tree = await objects.tree(names.map((name) => `040000 tree ${tree}\t${name}`))
      return [{ tree }]
    }
  }
}

function describe(attack: RandomAttack): string {
  return JSON.stringify(attack, (_, value: unknown) =>
    typeof value === 'string' && value.length > SHOWN_CHARACTERS / 4
      ? `${value.slice(0, 80)}… (${value.length} characters)`
      : value,
  ).slice(0, SHOWN_CHARACTERS)
}
