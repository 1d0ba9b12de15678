// Options of Rolldown for bundling `src/`: the program, and each thread and process that it starts, in a few files.
// Loading the 1,400 modules one by one takes Node a second at every start. Nothing is minified, so that stack traces stay
// readable.

import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ENTRIES } from '../../dist/src/threads/entries.js'

const compiled = fileURLToPath(new URL('../../dist/src/', import.meta.url))

/** `tasks/task-worker: src/tasks/task-worker.ts`: an entry keeps its folder, so that the bundle finds its URL too. */
const entries = Object.fromEntries(
  Object.values(ENTRIES).map((url) => {
    const name = relative(compiled, fileURLToPath(url)).replace(/\.js$/, '')
    return [name, `src/${name}.ts`]
  }),
)

/**
 * Returns options for a bundle in a folder of `dist`. It must be as deep as `dist/src`, since modules name files relative to themselves.
 * Set `cleanDir` to false for a folder in use: the service may still load chunks of the earlier bundle.
 */
export function programBundle(folder, { cleanDir = true } = {}) {
  return {
    input: { 'bin/palimpsest': 'src/main.ts', ...entries },
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    platform: 'node',
    // The SQLite driver has a native part, and so has sharp, which may not be there.
    external: ['@photostructure/sqlite', 'sharp'],
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    // Koa's depd creates its wrappers with eval.
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
