import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { bytesOf } from '../../../src/admission/memory-budget.js'
import { InvalidConfiguration, loadConfig } from '../../../src/processes/config/config.js'
import { readEnvironment } from '../../../src/processes/config/read-environment.js'
import { environmentSchema } from '../../../src/processes/config/schema.js'

describe('the environment', () => {
  const read = (texts: Record<string, string>) => readEnvironment(texts)

  it('gives numbers, booleans, texts, and defaults for absent or empty variables', () => {
    const { values, problems } = read({
      PORT: '0',
      ALLOW_SHARED_DOMAIN: 'true',
      FENCED: '1',
      HOST: '::1',
      LOG_LEVEL: '',
      PATH: '/bin',
    })
    assert.deepEqual(problems, [])
    assert.deepEqual([values.PORT, values.ALLOW_SHARED_DOMAIN, values.FENCED, values.HOST], [0, true, true, '::1'])
    assert.deepEqual([values.LOG_LEVEL, values.WRITER_THREADS, values.BASE_URL], ['info', 2, undefined])
    assert.ok(!('PATH' in values))
  })

  it('is refused with a line for each text that the schema does not allow', () => {
    const texts = {
      PORT: '65536',
      WRITER_THREADS: '-1',
      TASK_PROCESSES: '2.5',
      MAX_CONNECTIONS: 'many',
      ALLOW_SHARED_DOMAIN: 'yes',
    }
    const problems = [
      'PORT must be <= 65535',
      'ALLOW_SHARED_DOMAIN must be 1 or 0 (or true or false)',
      'MAX_CONNECTIONS must be an integer',
      'TASK_PROCESSES must be an integer',
      'WRITER_THREADS must be >= 1',
    ]
    assert.deepEqual(read(texts).problems, problems)
    assert.deepEqual(read({ LOG_LEVEL: 'loud' }).problems, [
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
    ])
    assert.throws(() => loadConfig(texts), new InvalidConfiguration(problems))
  })

  it('is refused if it has a removed setting, with one sentence of advice', () => {
    const problem =
      'WORKERS is gone: "serve" is one process; for more load run "serve --role api" beside "serve --role sites" (docs/upgrade.md)'
    for (const WORKERS of ['0', '2']) assert.throws(() => loadConfig({ WORKERS }), new InvalidConfiguration([problem]))
    loadConfig({ WORKERS: '' })
  })

  it('reserves memory for two of the longest bodies, and refuses less', () => {
    const MIB = 1024 * 1024
    const memoryBytesOf = (texts: Record<string, string>) => loadConfig(texts).sizes.memoryBytes
    assert.equal(memoryBytesOf({}), 256 * MIB)
    const least = memoryBytesOf({ MAX_HTML_BYTES: String(20 * MIB) })
    assert.equal(bytesOf('requests', least), 2 * (60 * MIB + 65_536))
    assert.throws(
      () => loadConfig({ MAX_HTML_BYTES: String(20 * MIB), MEMORY_BYTES: String(least - 1) }),
      new RegExp(`MEMORY_BYTES must be at least ${least}: room for two of the longest bodies`),
    )
  })

  it('has fewer than 50 settings, and names each of them in docs/configuration.md, and no other', () => {
    const names = Object.keys(environmentSchema.properties)
    assert.ok(names.length < 50, `${names.length} settings`)
    const rows = readFileSync('docs/configuration.md', 'utf8').matchAll(/^\| `([A-Z_]+)` \|/gm)
    assert.deepEqual(new Set(Array.from(rows, ([, name]) => name)), new Set(names))
  })

  it('is refused with a sentence for each removed setting of a limit', () => {
    for (const [name, instead] of [
      ['RECEIVE_BYTES', 'MEMORY_BYTES is for all of them'],
      ['MAX_IMPORT_BYTES', 'MAX_PUSH_BYTES is for imports too'],
      ['MAX_JSON_DEPTH', 'it is always 64 levels; leave it out'],
    ] as const)
      assert.throws(() => loadConfig({ [name]: '1' }), new RegExp(`${name} is gone: ${instead}`))
  })

  it('numbers a node only if it has a database', () => {
    const DATABASE_URL = 'postgres://ada:secret@localhost/palimpsest'
    assert.equal(loadConfig({ DATABASE_URL, NODE_NUMBER: '3' }).nodeNumber, 3)
    assert.equal(loadConfig({ DATABASE_URL }).nodeNumber, undefined)
    assert.throws(() => loadConfig({ NODE_NUMBER: '3' }), /NODE_NUMBER is for nodes: set DATABASE_URL/)
    assert.throws(() => loadConfig({ DATABASE_URL, NODE_NUMBER: '0' }), /NODE_NUMBER/)
  })

  it('names the replacement of the settings by which nodes reached one another', () => {
    const inner = { NODE_ADDRESS: '10.0.0.11:8090', NODE_SECRET_FILE: '/etc/node.secret' }
    assert.throws(() => loadConfig(inner), /NODE_ADDRESS is gone: .*NODE_NUMBER[^]*NODE_SECRET_FILE is gone/)
  })
})
