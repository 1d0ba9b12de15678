// Attacks by pushes over HTTP that are large, malicious, slow, or broken off.

import { execFileSync } from 'node:child_process'
import { createHash, randomFillSync } from 'node:crypto'
import { cpSync, createReadStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { deflateSync } from 'node:zlib'
import { entryHeader, packHeader } from '../../../src/git/storage/pack-writer.js'
import { pktLine } from '../../../src/git/wire/pkt-lines.js'
import { type Attack, statusOf, together } from '../attack.js'
import type { OwnSite, Tenant } from '../tenant.js'

const MIB = 1024 * 1024
const MAX_MORE_MIB = 256
const LARGE_FILES = 5
const LARGE_FILE_BYTES = 60 * MIB
const ZERO = '0'.repeat(40)
const NOBODYS_OID = '1'.repeat(40)
const CLIENTS = 200
/** Tags of one site: a few less than the limit. */
const TAGS = 8000
const SLOW_MS = 3000
const SLOW_STEP_MS = 100

export const GIT_PUSHES: readonly Attack[] = [
  {
    name: 'push of 300 MiB',
    about: 'a push over HTTP of five files of 60 MiB that nothing compresses, received and judged (`-o dry-run`)',
    atOnce: 1,
    maxMoreMib: MAX_MORE_MIB,
    async prepare(tenant) {
      const site = await tenant.makeSite()
      const file = makeLargePush(site)
      const length = statSync(file).size
      return () => send(tenant, site, createReadStream(file), { 'Content-Length': String(length) })
    },
  },
  {
    name: 'push of a bomb',
    about: 'a push over HTTP of 100 files of 64 MiB of zeros, deflated to 6 MiB',
    atOnce: 2,
    maxMoreMib: MAX_MORE_MIB,
    async prepare(tenant) {
      const site = await tenant.makeSite()
      const body = Buffer.concat([commandsFor(site, NOBODYS_OID), bombs(100, 64 * MIB)])
      return () => send(tenant, site, Readable.from([body]))
    },
  },
  {
    name: 'push of many refs',
    about: 'a push over HTTP that sets 100,000 tags',
    atOnce: 2,
    maxMoreMib: MAX_MORE_MIB,
    async prepare(tenant) {
      const site = await tenant.makeSite()
      const head = headOf(site)
      const lines = Array.from({ length: 100_000 }, (_, n) =>
        pktLine(`${ZERO} ${head} refs/tags/t${n}${n === 0 ? '\0report-status side-band-64k' : ''}\n`),
      )
      const body = Buffer.concat([...lines, Buffer.from('0000'), packOf([])])
      return () => send(tenant, site, Readable.from([body]))
    },
  },
  {
    name: 'many tags',
    about: `pushes over HTTP of one tag each to a site that has ${TAGS} annotated ones, and the lists of its commits and tags`,
    atOnce: 2,
    maxMoreMib: MAX_MORE_MIB,
    async prepare(tenant) {
      const site = await tenant.makeSite()
      const head = headOf(site)
      makeTags(site, head)
      let pushed = 0
      return async () => {
        const command = `${ZERO} ${head} refs/tags/more-${pushed++}\0report-status side-band-64k\n`
        const body = Buffer.concat([pktLine(command), Buffer.from('0000'), packOf([])])
        const lists = ['commits', 'tags'].map((list) => statusOf(tenant.api(`/sites/${site.id}/${list}`)))
        return (await Promise.all([send(tenant, site, Readable.from([body])), ...lists])).join(' ')
      }
    },
  },
  {
    name: 'push broken off',
    about: '20 pushes over HTTP at once that stop in the middle of their pack and hang up',
    atOnce: 1,
    maxMoreMib: MAX_MORE_MIB,
    async prepare(tenant) {
      const site = await tenant.makeSite()
      const part = Buffer.concat([commandsFor(site, NOBODYS_OID), bombs(2, MIB).subarray(0, -1000)])
      async function* half() {
        yield part
        await delay(SLOW_STEP_MS)
        throw new Error('the client has gone')
      }
      return () => together(20, () => send(tenant, site, Readable.from(half())))
    },
  },
  {
    name: '200 slow pushes',
    about: `${CLIENTS} pushes over HTTP at once that send a few bytes of a pack a second`,
    atOnce: 1,
    maxMoreMib: MAX_MORE_MIB,
    async prepare(tenant) {
      const site = await tenant.makeSite()
      const start = Buffer.concat([commandsFor(site, NOBODYS_OID), packHeader(1)])
      async function* slowly() {
        yield start
        for (let waited = 0; waited < SLOW_MS; waited += SLOW_STEP_MS) {
          await delay(SLOW_STEP_MS)
          yield Buffer.alloc(10)
        }
        throw new Error('the client has gone')
      }
      return () => together(CLIENTS, () => send(tenant, site, Readable.from(slowly())))
    },
  },
]

/** Resolves with the report on the push, or the status; `gone` if there is no answer. */
function send(
  { connection, data }: Tenant,
  site: OwnSite,
  body: Readable,
  fields: Record<string, string> = {},
): Promise<string> {
  return new Promise((resolve) => {
    const sent = request(
      {
        ...connection,
        method: 'POST',
        path: `/git/${site.slug}.git/git-receive-pack`,
        headers: {
          Authorization: `Bearer ${data.key}`,
          'Content-Type': 'application/x-git-receive-pack-request',
          ...fields,
        },
      },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', () => resolve('gone'))
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          resolve(/would publish|refused: [^.\n]*/.exec(text)?.[0] ?? String(answer.statusCode))
        })
      },
    )
    sent.on('error', () => resolve('gone'))
    body.on('error', () => sent.destroy())
    body.pipe(sent)
  })
}

/** Writes commands, options and a pack into one file, as git would send them. */
function makeLargePush(site: OwnSite): string {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-large-push-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const clone = join(folder, 'clone')
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', clone, '-c', 'core.bigFileThreshold=1m', '-c', 'core.compression=0', ...args], {
      encoding: 'utf8',
    }).trim()
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', site.gitdir, clone])
  const before = git('rev-parse', 'HEAD')
  for (let n = 0; n < LARGE_FILES; n++)
    writeFileSync(join(clone, `large-${n}.bin`), randomFillSync(Buffer.alloc(LARGE_FILE_BYTES)))
  git('add', '--all')
  git('-c', 'user.name=Bad', '-c', 'user.email=bad@example.org', 'commit', '--quiet', '-m', 'Large files')
  const after = git('rev-parse', 'HEAD')
  const file = join(folder, 'push')
  const head = pktLine(`${before} ${after} refs/heads/main\0report-status side-band-64k push-options\n`)
  writeFileSync(file, Buffer.concat([head, Buffer.from('0000'), pktLine('dry-run'), Buffer.from('0000')]))
  const pack = `git -C '${clone}' -c core.bigFileThreshold=1m -c pack.compression=0 pack-objects --revs --stdout --quiet >>'${file}'`
  execFileSync('sh', ['-c', pack], { input: `${after}\n^${before}\n` })
  return file
}

/** Makes the tags as many pushes would, once the service has packed them. */
function makeTags({ gitdir }: OwnSite, head: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-many-tags-'))
  const git = (input: string, ...args: string[]) => execFileSync('git', ['-C', folder, ...args], { input })
  const tags = Array.from(
    { length: TAGS },
    (_, n) => `tag t${n}\nfrom ${head}\ntagger Bench <bench@example.org> 1700000000 +0000\ndata 2\nx\n`,
  )
  try {
    execFileSync('git', ['clone', '--quiet', '--bare', '--no-hardlinks', gitdir, folder])
    git(`feature done\n${tags.join('\n')}\ndone\n`, 'fast-import', '--quiet')
    git('', 'repack', '-a', '-d', '--quiet')
    git('', 'pack-refs', '--all')
    cpSync(join(folder, 'objects', 'pack'), join(gitdir, 'objects', 'pack'), { recursive: true })
    cpSync(join(folder, 'packed-refs'), join(gitdir, 'packed-refs'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function headOf({ gitdir }: OwnSite): string {
  return execFileSync('git', ['-C', gitdir, 'rev-parse', 'main'], { encoding: 'utf8' }).trim()
}

function commandsFor(site: OwnSite, after: string): Buffer {
  const command = `${headOf(site)} ${after} refs/heads/main\0report-status side-band-64k\n`
  return Buffer.concat([pktLine(command), Buffer.from('0000')])
}

function bombs(count: number, bytes: number): Buffer {
  const entry = Buffer.concat([entryHeader('blob', bytes), deflateSync(Buffer.alloc(bytes), { level: 9 })])
  return packOf(Array.from({ length: count }, () => entry))
}

function packOf(entries: readonly Buffer[]): Buffer {
  const body = Buffer.concat([packHeader(entries.length), ...entries])
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}
