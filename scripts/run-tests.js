// Runs mocha on what was built: everything, or the files and folders that are named as they lie in the source tree.
// `npm test -- test/git/disk test/spec/3-states.test.ts --grep refuses`: options of mocha may stand anywhere.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const mocha = fileURLToPath(new URL('../node_modules/mocha/bin/mocha.js', import.meta.url))
const root = fileURLToPath(new URL('..', import.meta.url))

const words = process.argv.slice(2)
const paths = words.map(testPath)
const lost = paths.find((path) => path !== undefined && !existsSync(join(root, path)))
if (lost !== undefined) {
  console.error(`${lost} does not exist.`)
  process.exit(2)
}

/** The path below the project's root that a word names, from the folder in which npm was called; undefined: an option. */
function testPath(word) {
  const path = relative(root, resolve(process.env.INIT_CWD ?? '.', word))
  return /^test(?:\/|$)/.test(path) && (path.endsWith('.test.ts') || existsSync(join(root, path))) ? path : undefined
}

/** Where tsc put the tests of a file or folder. */
function compiled(path) {
  return path.endsWith('.ts') ? `dist/${path.replace(/\.ts$/, '.js')}` : `dist/${path}/**/*.test.js`
}

const named = paths.filter((path) => path !== undefined)
const specs = (named.length === 0 ? ['test'] : named).map(compiled)
const options = words.filter((_, index) => paths[index] === undefined)
const { status } = spawnSync(process.execPath, [mocha, ...options, ...specs], { cwd: root, stdio: 'inherit' })
process.exitCode = status ?? 1
