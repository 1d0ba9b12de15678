// The package of the client as a user has it: packed by npm, installed in a folder, and programs compiled against it there.

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { npmPack, type Packed } from '../../support/npm/pack.js'

const TSC = resolve('node_modules/typescript/bin/tsc')
/** The client's dependencies; their tarballs are made from the installed ones, so that nothing is fetched. */
const NEEDED = ['ignore', 'openapi-fetch', 'openapi-typescript-helpers']

/** Compiler options of a careful user, without the types of Node. */
const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  module: 'nodenext',
  target: 'es2023',
  lib: ['es2023', 'dom'],
  types: [],
  skipLibCheck: false,
}

export class InstalledPackage {
  readonly folder = mkdtempSync(join(tmpdir(), 'palimpsest-client-'))
  readonly packed: Packed

  constructor() {
    const all = npmPack(this.folder, './dist/client-package', ...NEEDED.map((name) => `./node_modules/${name}`))
    const found = all.get('palimpsest-client')
    assert.ok(found)
    this.packed = found
    writeFileSync(join(this.folder, 'package.json'), '{"type": "module"}')
    const options = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts']
    const tarballs = [...all.values()].map(({ tarball }) => tarball)
    execFileSync('npm', ['install', ...options, ...tarballs], { cwd: this.folder, stdio: 'ignore' })
  }

  /** Compiles to JavaScript in the same folder. Fails with the compiler's messages. */
  compile(name: string, text: string, options: object = {}): void {
    writeFileSync(join(this.folder, name), text)
    const config = { compilerOptions: { ...STRICT, ...options }, files: [name] }
    writeFileSync(join(this.folder, 'tsconfig.json'), JSON.stringify(config))
    const { status, stdout } = spawnSync(process.execPath, [TSC], { cwd: this.folder, encoding: 'utf8' })
    assert.equal(status, 0, stdout)
  }

  async load<T>(name: string): Promise<T> {
    return (await import(pathToFileURL(join(this.folder, name)).href)) as T
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
