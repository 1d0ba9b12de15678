// What Rolldown is told to make of `src/`: the program, and each thread and process that it starts, in a few files.
// Loading its 1,400 modules one by one takes Node a second at every start. Nothing is minified, so that stack traces stay
// readable.

import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ENTRIES } from '../../dist/src/threads/entries.js'

const compiled = fileURLToPath(new URL('../../dist/src/', import.meta.url))

/** `tasks/task-worker: src/tasks/task-worker.ts`: an entry keeps its folder, so that its URL is found from the bundle too. */
const entries = Object.fromEntries(
  Object.values(ENTRIES).map((url) => {
    const name = relative(compiled, fileURLToPath(url)).replace(/\.js$/, '')
    return [name, `src/${name}.ts`]
  }),
)

/**
 * Options for a bundle in a folder of `dist`: as deep as `dist/src`, since modules name files relative to themselves.
 * A folder that is being run from is not cleaned: the service may still load chunks of the bundle before.
 */
export function programBundle(folder, { cleanDir = true } = {}) {
  return {
    input: { 'bin/palimpsest': 'src/main.ts', ...entries },
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    platform: 'node',
    // It has a native part.
    external: ['libsql'],
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    // Koa's depd makes its wrappers with eval.
    checks: { eval: false },
    output: {
      dir: fileURLToPath(new URL(`../../dist/${folder}/`, import.meta.url)),
      cleanDir,
      sourcemap: true,
      entryFileNames: '[name].js',
      chunkFileNames: 'bin/[name]-[hash].js',
    },
  }
}
