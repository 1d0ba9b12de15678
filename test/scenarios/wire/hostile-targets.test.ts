import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { startOwnService, type TestService } from '../../support/service.js'

const NAUGHTY = JSON.parse(readFileSync('node_modules/big-list-of-naughty-strings/blns.json', 'utf8')) as string[]
const CANARY = 'the canary sings'

const escapeAll = (text: string) =>
  Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
const escapeTwice = (text: string) => escapeAll(text).replaceAll('%', '%25')

/** Ways up and out of a site, each with some spelling of dots and slashes. */
function* traversals(): Generator<string> {
  const dots = [
    '..',
    '%2e%2e',
    '.%2e',
    '%252e%252e',
    '%c0%ae%c0%ae',
    '%e0%80%ae%e0%80%ae',
    '..;',
    '...',
    '%u002e%u002e',
    '..%00',
  ]
  const slashes = ['/', '//', '%2f', '%5c', '\\', '%252f', '%c0%af', '%ef%bc%8f', '/./', '%2f/']
  const ends = ['canary.txt', 'catalog.db', 'demo.git/config', 'demo.git/HEAD', '.site.json', 'etc/passwd']
  for (const dot of dots) {
    for (const slash of slashes) {
      for (const [at, end] of ends.entries()) {
        yield `/${`${dot}${slash}`.repeat(1 + at)}${end}`
        yield `/about${slash}${`${dot}${slash}`.repeat(2 + at)}${end}`
      }
    }
  }
}

describe('a hostile target', () => {
  let service: TestService
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })

  const ask = (path: string) =>
    new Promise<{ status: number; location: string | undefined; body: string }>((resolve, reject) => {
      const headers = { Host: 'demo.localhost' }
      request({ agent, port: service.server.port, path, headers }, (answer) => {
        let body = ''
        answer.setEncoding('latin1').on('data', (part: string) => (body += part))
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, location: answer.headers.location, body }))
      })
        .once('error', reject)
        .end()
    })
  const assertHarmless = async (target: string) => {
    const { status, location, body } = await ask(target)
    assert.ok([200, 308, 400, 404].includes(status), `${status} for ${target}`)
    assert.ok(!body.includes(CANARY) && !body.includes('root:') && !body.includes('[core]'), target)
    // A redirect stays on the site.
    if (location !== undefined) assert.match(location, /^\/(?!\/)/, `${target} leads to ${location}`)
  }

  before(async () => {
    service = await startOwnService()
    await service.api().put('/pages?path=/about').send({ html: 'about' }).expect(201)
    writeFileSync(join(service.dataDir, 'canary.txt'), CANARY)
  })
  after(async () => {
    agent.destroy()
    await service.stop()
  })

  it('is answered and does no harm, for each of the list of naughty strings', async () => {
    for (const text of NAUGHTY) for (const escape of [escapeAll, escapeTwice]) await assertHarmless(`/${escape(text)}`)
  })

  it('never reaches a file outside of the site', async () => {
    for (const target of traversals()) await assertHarmless(target)
  })
})
