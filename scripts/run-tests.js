// Runs mocha on what was built: the files and folders that are named as they lie in the source tree, the tests of one of PARTS
// (`--nodes`), or all others.
// `npm test -- test/git/disk test/spec/3-states.test.ts --grep refuses`: options of mocha may stand anywhere.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Tests with commands of their own, such as `npm run bounds`: they take minutes, or need more than Node, npm, git, a shell and coreutils.
 * `*.bounds.test.ts` and `*.system.test.ts` lie beside the other tests of their subject.
 */
const PARTS = {
  bounds: ['test/bounds', 'test/**/*.bounds.test.ts'],
  nodes: ['test/nodes'],
  screens: ['test/dashboard', 'test/api/reference.test.ts'],
  system: ['test/**/*.system.test.ts'],
}

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

/** What mocha is to run, as its arguments. */
function chooseTests() {
  const named = paths.filter((path) => path !== undefined)
  if (named.length > 0) return named.map(compiled)
  if (part !== undefined) return PARTS[part].map(compiled)
  const others = Object.values(PARTS).flat()
  return [compiled('test'), ...others.flatMap((path) => ['--ignore', compiled(path)])]
}

const part = Object.keys(PARTS).find((name) => words.includes(`--${name}`))
const options = words.filter((word, index) => paths[index] === undefined && word !== `--${part}`)
const { status } = spawnSync(process.execPath, [mocha, ...options, ...chooseTests()], { cwd: root, stdio: 'inherit' })
process.exitCode = status ?? 1
