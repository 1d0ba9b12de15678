// `npm run build`: makes dist/ in steps, and skips steps that are up to date. `npm start` and `npm test` begin with it.

import { fileURLToPath } from 'node:url'
import { runSteps } from './build/run-steps.js'

const PACKAGES = ['package.json', 'package-lock.json', 'node_modules/.package-lock.json']
const SOURCES = ['src', 'schemas', 'tsconfig.json', 'scripts/build.js', 'scripts/build', ...PACKAGES]

/** Each step reads its inputs and the outputs of earlier steps with the same inputs, and writes its outputs. */
const STEPS = [
  {
    name: 'types and code',
    script: 'scripts/build/compile.js',
    // Tests import parts of the dashboard that need no browser.
    inputs: [
      ...SOURCES,
      'test',
      'bench',
      'dashboard/src/frame',
      'dashboard/src/screens/audit',
      'dashboard/src/screens/collections',
    ],
    outputs: ['dist/src', 'dist/schemas', 'dist/test', 'dist/bench', 'dist/dashboard'],
  },
  {
    name: 'program',
    script: 'scripts/build/bundle-program.js',
    inputs: SOURCES,
    outputs: ['dist/program', 'dist/docs-ui'],
  },
  {
    name: 'client package',
    script: 'scripts/build/make-client-package.js',
    inputs: [...SOURCES, 'LICENSE'],
    outputs: ['dist/client-package'],
  },
  {
    name: 'command line package',
    script: 'scripts/build/make-cli-package.js',
    inputs: [...SOURCES, 'LICENSE'],
    outputs: ['dist/cli-package'],
  },
  {
    name: 'dashboard',
    script: 'scripts/build/make-dashboard.js',
    inputs: [...SOURCES, 'dashboard'],
    outputs: ['dist/dashboard-ui', 'dist/parts-ui'],
  },
]

const succeeded = runSteps(STEPS, {
  root: fileURLToPath(new URL('..', import.meta.url)),
  stampFile: 'dist/built.json',
  // Standard output belongs to the command that follows.
  print: (text) => process.stderr.write(text),
})
process.exitCode = succeeded ? 0 : 1
