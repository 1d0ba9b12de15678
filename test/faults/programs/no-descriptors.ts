// Takes away the service's right to open files under a mixed load and gives it back: it must go on without a restart.

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { Ground } from '../ground/ground.js'
import { MixedLoad } from '../load/mixed-load.js'
import type { FaultProgram, Report } from '../program.js'

/** Numbers of files that it may open in addition to those it has open. */
const SPARE = [0, 1, 2, 4, 8, 16]
/** Milliseconds of writing before, during and after. */
const BEFORE_MS = 300
const DURING_MS = 1500
const AFTERWARDS_MS = 500
const READ_EVERY_MS = 50

export const noDescriptors: FaultProgram = {
  name: 'no-descriptors',
  about: 'the service may open no more files (EMFILE) under a mixed load; then it may again',
  needs: ['prlimit'],
  async run(report) {
    for (const spare of SPARE) {
      const name = `${spare} more files`
      report.begin(name, SPARE.length)
      await runShort(name, spare, report)
    }
  },
}

async function runShort(name: string, spare: number, report: Report): Promise<void> {
  const ground = await Ground.prepare()
  // Connections are descriptors too, so a reader needs one that is already open.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    const load = new MixedLoad(ground, report)
    await load.prepare()
    load.start()
    await pause(BEFORE_MS)
    await read(ground, agent)
    const { server } = ground
    const usual = limitOf(server.pid)
    limit(server.pid, readdirSync(`/proc/${server.pid}/fd`).length + spare)
    const end = performance.now() + DURING_MS
    while (performance.now() < end) {
      const seen = await read(ground, agent)
      if (seen !== 'untouched') report.violate(`${name}: a reader with a connection got ${seen}`)
      await pause(READ_EVERY_MS)
    }
    if (load.refusals === 0) report.violate(`${name}: never short of files`)
    limit(server.pid, usual)
    await pause(AFTERWARDS_MS)
    const { refusals } = load
    await pause(AFTERWARDS_MS)
    if (load.refusals > refusals) report.violate(`${name}: ${load.refusals - refusals} refusals when it may open files`)
    await load.stop()
    await load.verify()
    if (ground.server !== server) throw new Error('the service was started again')
    await ground.restart()
    for (const damage of ground.slugs().flatMap((slug) => ground.damage(slug))) report.violate(`${name}: ${damage}`)
    await load.verify()
  } finally {
    agent.destroy()
    await ground.destroy()
  }
}

/** The untouched site's page over a kept connection, or the error. */
function read(ground: Ground, agent: Agent): Promise<string> {
  return new Promise((resolve) => {
    const { port } = ground.server
    const sent = get({ port, host: '127.0.0.1', agent, headers: { host: 'untouched.localhost' } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      answer.on('close', () => resolve(answer.statusCode === 200 ? text : `${answer.statusCode} ${text}`))
    })
    sent.on('error', (error) => resolve(String(error)))
  })
}

/** Sets the soft limit. */
function limit(pid: number, descriptors: number): void {
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${descriptors}:`])
}

function limitOf(pid: number): number {
  const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'latin1')) ?? []
  return Number(soft)
}
