// `npm run test:system -- conformance`: the tools of a real service, held against the protocol's own conformance suite and called by the Inspector and mcp-remote.
// Exits with 1 if a check that applies fails, or one that is marked as not applicable has nothing to report.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printTable } from '../../src/cli/terminal/table.js'
import { makeKey, serve } from '../scenarios/serve-process.js'
import { fetchPrograms, type RunProgram } from './fetched-programs.js'
import { type Inspected, inspect } from './inspector.js'
import { startKeyProxy } from './key-proxy.js'
import { connectByRemote } from './mcp-remote.js'
import { runSuite, type SuiteResult } from './suite.js'

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-conformance-'))
try {
  await holdToProtocol(await fetchPrograms(folder))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function holdToProtocol(runProgram: RunProgram): Promise<void> {
  const dataDir = join(folder, 'data')
  const service = await serve({ dataDir })
  const key = await makeKey(dataDir)
  const proxy = await startKeyProxy(service.port, key)
  try {
    sayVerdicts(await runSuite(runProgram, `${proxy.origin}/mcp`, join(folder, 'results')))
    const inspected = await inspect(runProgram, service.origin, key)
    sayInspected([...inspected, await connectByRemote(folder, service.port, dataDir)])
  } finally {
    proxy.close()
    service.signal('SIGTERM')
    await service.ended
  }
}

function sayVerdicts({ verdicts, unneeded }: SuiteResult): void {
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
  for (const { scenarios, checks = '' } of unneeded) complain(`nothing needs the exception ${scenarios} ${checks}`)
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
