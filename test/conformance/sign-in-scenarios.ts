// The suite's scenarios about signing in: those for authorization servers are run, with a browser of the tests; those for clients are named.

import { join } from 'node:path'
import { freePort } from '../servers/ports.js'
import { registerClient } from '../support/people/connect-agent.js'
import { printedLink, type Programs } from './fetched-programs.js'
import type { Judge, Verdict } from './judge.js'
import type { Owner } from '../scenarios/owner.js'
import { REVISIONS } from './suite.js'

/** `folder` is for the suite's own results. Throws when a scenario of the list was not run. */
export async function runSignInScenarios(
  programs: Programs,
  judge: Judge,
  owner: Owner,
  folder: string,
): Promise<Verdict[]> {
  const { stdout: list } = await programs.run('conformance', ['list'])
  const ofClients = namesIn(list, /^Client scenarios/).filter((name) => name.startsWith('auth/'))
  const ofServers = namesIn(list, /^Authorization server scenarios/)
  const verdicts: Verdict[] = []
  for (const revision of REVISIONS) {
    const results = join(folder, revision)
    await connect(programs, owner, ['--spec-version', revision, '--output-dir', results])
    const judged = judge.judgeResults(revision, results, 'authorization-server')
    const lost = ofServers.filter((name) => !judged.some(({ scenario, passed }) => scenario === name && passed > 0))
    if (ofServers.length === 0 || lost.length > 0) throw new Error(`not run in ${revision}: ${lost.join()} ${list}`)
    verdicts.push(...judged)
  }
  return [...verdicts, ...ofClients.map((name) => judge.leaveOut(name))]
}

/** Runs all scenarios for authorization servers: the suite is a client, whose person is the owner. */
async function connect(programs: Programs, owner: Owner, options: readonly string[]): Promise<void> {
  const port = await freePort()
  const redirect = `http://127.0.0.1:${port}/callback`
  const clientId = await registerClient({ server: owner }, { redirect_uris: [redirect] })
  const asClient = ['--client-id', clientId, '--port', String(port), '--resource', `${owner.origin}/mcp`]
  const program = programs.start('conformance', ['authorization', '--url', owner.origin, ...asClient, ...options])
  try {
    await fetch(await owner.allow(await printedLink(program)))
    await program.ended
  } finally {
    program.kill()
  }
}

/** Returns the names of the scenarios below a headline of the list. */
function namesIn(list: string, headline: RegExp): string[] {
  const part = list.split('\n\n').find((text) => headline.test(text.trim())) ?? ''
  return Array.from(part.matchAll(/^ +- (\S+)/gm), ([, name = '']) => name)
}
