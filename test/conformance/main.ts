// `npm run test:system -- conformance`: a real service, held against the protocol's own conformance suite, also where agents sign in. The
// Inspector and mcp-remote sign in too, and call its tools.
// Exits with 1 if a check that applies fails, or one that is marked as not applicable has nothing to report.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printTable } from '../../src/cli/terminal/table.js'
import { makeKey, serve } from '../scenarios/serve-process.js'
import { fetchPrograms, type Programs } from './fetched-programs.js'
import { type Inspected, inspect } from './inspector.js'
import { signInByInspector } from './inspector-sign-in.js'
import { Judge, type Verdict } from './judge.js'
import { startKeyProxy } from './key-proxy.js'
import { connectByRemote } from './mcp-remote.js'
import { signInAsOwner } from '../scenarios/owner.js'
import { runSignInScenarios } from './sign-in-scenarios.js'
import { runSuite } from './suite.js'

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-conformance-'))
try {
  await holdToProtocol(await fetchPrograms(folder))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function holdToProtocol(programs: Programs): Promise<void> {
  const dataDir = join(folder, 'data')
  const service = await serve({ dataDir })
  const key = await makeKey(dataDir)
  const proxy = await startKeyProxy(service.port, key)
  try {
    const owner = await signInAsOwner(service.port, dataDir)
    const judge = new Judge()
    const ofTools = await runSuite(programs, judge, `${proxy.origin}/mcp`, join(folder, 'of-tools'))
    const ofSignIn = await runSignInScenarios(programs, judge, owner, join(folder, 'of-sign-in'))
    sayVerdicts([...ofTools, ...ofSignIn], judge)
    const inspected = await inspect(programs, service.origin, await makeKey(dataDir, 'admin'))
    const signedIn = await signInByInspector(programs, owner, folder)
    sayInspected([...inspected, ...signedIn, await connectByRemote(programs, owner, folder)])
  } finally {
    proxy.close()
    service.signal('SIGTERM')
    await service.ended
  }
}

function sayVerdicts(verdicts: readonly Verdict[], judge: Judge): void {
  printTable(
    ['revision', 'scenario', 'passed', 'failed', 'warned', 'does not apply', 'because'],
    verdicts.map(({ revision, scenario, passed, failed, warned, notApplicable, because }) => [
      revision,
      scenario,
      ...[passed, failed.length, warned.length, notApplicable].map(String),
      because.join('; '),
    ]),
  )
  for (const line of verdicts.flatMap(({ warned }) => warned)) console.error(`warned: ${line}`)
  for (const line of verdicts.flatMap(({ failed }) => failed)) complain(line)
  for (const { scenarios, checks = '' } of judge.unneeded())
    complain(`nothing needs the exception ${scenarios} ${checks}`)
}

function sayInspected(inspected: readonly Inspected[]): void {
  printTable(
    ['transport', 'method', 'by the Inspector and mcp-remote'],
    inspected.map(({ transport, method, fault }) => [
      transport,
      method,
      fault === undefined ? 'as it should' : 'wrong',
    ]),
  )
  for (const { transport, method, fault } of inspected) {
    if (fault !== undefined) complain(`${method} over ${transport}: ${fault}`)
  }
}

function complain(line: string): void {
  console.error(`failed: ${line}`)
  process.exitCode = 1
}
