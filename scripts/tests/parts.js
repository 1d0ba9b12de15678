// The table of the tests that `npm test` leaves out, and functions that run mocha on the built tests.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const mocha = fileURLToPath(new URL('../../node_modules/mocha/bin/mocha.js', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The parts of `npm run test:system`. They take minutes, or need more than Node, npm, git, a shell and coreutils. A part is a list of
 * folders and files for mocha, or a program. `*.bounds.test.ts` and `*.system.test.ts` lie next to the other tests of their subject.
 */
export const PARTS = {
  scenarios: { tests: ['test/scenarios'] },
  remotes: { tests: ['test/git/remotes'] },
  processes: {
    tests: [
      'test/processes/roles',
      'test/tasks/task-pool.test.ts',
      'test/project/build.test.ts',
      'test/protocols/client/package-in-node.test.ts',
      'test/repository/health/integrity.test.ts',
      ...['authors', 'clone', 'operator', 'publish-folder', 'remotes', 'second-reader', 'status'].map(
        (name) => `test/cli/${name}.test.ts`,
      ),
    ],
  },
  merges: {
    tests: ['test/repository/merging', 'test/repository/reverting', 'test/repository/operations/revert.test.ts'],
  },
  agents: {
    tests: ['agent', 'bad-input', 'configurations', 'every-tool/every-tool', 'files', 'older-clients', 'toolsets'].map(
      (name) => `test/protocols/mcp/${name}.test.ts`,
    ),
  },
  pushes: {
    tests: [
      'test/protocols/git-http/push.test.ts',
      'test/usecases/pushes/proposals.test.ts',
      'test/protocols/git-http/fetch.test.ts',
      'test/repository/hooks',
      'test/repository/pushing',
    ],
  },
  people: { tests: ['test/scenarios/rights'] },
  bounds: { tests: ['test/bounds', 'test/**/*.bounds.test.ts'] },
  screens: { tests: ['test/dashboard', 'test/protocols/api/reference.test.ts'] },
  nodes: { tests: ['test/nodes/services'] },
  programs: { tests: ['test/**/*.system.test.ts'] },
  'git-clients': { program: 'test/git-clients/main.ts' },
  mirrors: { program: 'test/mirrors/main.ts' },
  'many-mirrors': { program: 'test/mirrors/many.ts' },
  conformance: { program: 'test/conformance/main.ts' },
  sites: { program: 'test/sites/main.ts' },
}

const PART_PATHS = Object.values(PARTS).flatMap(({ tests = [] }) => tests)

/** Runs one part and returns its exit code. The words are options of mocha, or arguments of the program. */
export function runPart({ tests, program }, words) {
  return program === undefined ? runTests(words, tests) : runNode([compiled(program), ...words])
}

/** Runs the tests in these files and folders that belong to no part. Returns the exit code. */
export function runOthers(options, paths) {
  return runWithout(PART_PATHS, options, paths)
}

/** Runs the tests in these files, folders and patterns. Skips files of a folder that belong to another part. Returns the exit code. */
export function runTests(options, paths) {
  const isNamed = (pattern) => paths.some((path) => path.endsWith(pattern.slice(pattern.lastIndexOf('*') + 1)))
  const others = PART_PATHS.filter((path) => path.includes('*') && !isNamed(path))
  return runWithout(others, options, paths)
}

function runWithout(others, options, paths) {
  return runNode([mocha, ...options, ...paths.map(compiled), ...others.flatMap((path) => ['--ignore', compiled(path)])])
}

/** Returns the compiled path of a file, or the pattern for the tests of a folder. */
function compiled(path) {
  return path.endsWith('.ts') ? `dist/${path.replace(/\.ts$/, '.js')}` : `dist/${path}/**/*.test.js`
}

function runNode(words) {
  const { status } = spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit' })
  return status ?? 1
}
