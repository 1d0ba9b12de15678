import assert from 'node:assert/strict'
import { InvalidConfiguration, loadConfig } from '../../src/config/config.js'
import { readEnvironment } from '../../src/config/read-environment.js'

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
      MAX_IMPORTS: '2.5',
      QUEUE_WRITES: 'many',
      ALLOW_SHARED_DOMAIN: 'yes',
    }
    const problems = [
      'PORT must be <= 65535',
      'ALLOW_SHARED_DOMAIN must be 1 or 0 (or true or false)',
      'QUEUE_WRITES must be an integer',
      'MAX_IMPORTS must be an integer',
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
    const receiveBytesOf = (texts: Record<string, string>) => loadConfig(texts).limits.receiveBytes
    assert.equal(receiveBytesOf({}), 64 * MIB)
    assert.equal(receiveBytesOf({ MAX_HTML_BYTES: String(20 * MIB) }), 2 * (60 * MIB + 65_536))
    assert.equal(receiveBytesOf({ MAX_BODY_BYTES: String(40 * MIB) }), 80 * MIB)
    assert.throws(
      () => loadConfig({ MAX_BODY_BYTES: String(40 * MIB), RECEIVE_BYTES: String(80 * MIB - 1) }),
      /RECEIVE_BYTES must be at least 83886080: twice the longest body/,
    )
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
