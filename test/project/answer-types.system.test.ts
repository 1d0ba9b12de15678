// The compiler ties what a route answers to the schema that OpenAPI shows: a copy of the sources in which
// the two differ must not compile.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

interface Change {
  file: string
  from: string
  to: string
  /** The file that no longer compiles. */
  refusedIn: string
}

const CHANGES: Change[] = [
  {
    file: 'schemas/pages.ts',
    from: "size: Type.Integer({ minimum: 0, description: 'Bytes",
    to: "size: Type.Boolean({ description: 'Bytes",
    refusedIn: 'src/usecases/pages/page-data.ts',
  },
  {
    file: 'schemas/collections.ts',
    from: "collectionId: uuid('",
    to: "collection: uuid('",
    refusedIn: 'src/usecases/records/records.ts',
  },
  {
    file: 'schemas/keys.ts',
    from: 'lastUsedAt: nullable(timestamp(',
    to: 'lastUsedAt: nullable(((description: string) => Type.Integer({ description }))(',
    refusedIn: 'src/usecases/access/keys.ts',
  },
  {
    file: 'schemas/sites.ts',
    from: 'publicHistory,\n    markdown',
    to: 'publicHistory: Type.Null(),\n    markdown',
    refusedIn: 'src/usecases/sites/sites.ts',
  },
  {
    file: 'src/protocols/api/routes/collections.ts',
    from: 'data: recordData,\n    list: true,',
    to: 'data: recordData,',
    refusedIn: 'src/protocols/api/routes/collections.ts',
  },
  {
    file: 'src/protocols/api/routes/batch.ts',
    from: 'data: batchData,',
    to: 'data: batchBody,',
    refusedIn: 'src/protocols/api/routes/batch.ts',
  },
]

describe('the types of answers', () => {
  let copy: string

  before(() => {
    copy = mkdtempSync(join(tmpdir(), 'palimpsest-answer-types-'))
    // Tests run from the project's root, as npm does.
    for (const folder of ['src', 'schemas']) cpSync(folder, join(copy, folder), { recursive: true })
    cpSync('package.json', join(copy, 'package.json'))
    symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
    const compilerOptions = { rootDir: '.', noEmit: true, types: ['node'], typeRoots: [resolve('node_modules/@types')] }
    const config = {
      extends: resolve('tsconfig.json'),
      compilerOptions,
      include: ['src/protocols/api/routes/table.ts', 'src/**/*.d.ts'],
    }
    writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(config))
  })

  after(() => rmSync(copy, { recursive: true, force: true }))

  it('refuse a route whose answer differs from its schema', () => {
    for (const { file, from, to } of CHANGES) {
      const text = readFileSync(join(copy, file), 'utf8')
      assert.ok(text.includes(from), `${file} has no "${from}"`)
      writeFileSync(join(copy, file), text.replace(from, to))
    }
    const errors = compile(copy)
    // The sources compile as they are: these tests are made of them.
    const refused = new Set(Array.from(errors.matchAll(/^(\S+)\(\d+,\d+\): error/gm), ([, file]) => file))
    assert.deepEqual(refused, new Set(CHANGES.map(({ refusedIn }) => refusedIn)), errors)
  })
})

function compile(project: string): string {
  const compiler = resolve('node_modules/typescript/bin/tsc')
  // Several threads take twice the processor time.
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', '.', '--singleThreaded'], {
    cwd: project,
    encoding: 'utf8',
  })
  return stdout
}
