// The files that the import rules are about, and the imports between them.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { readImports } from './read-imports.js'

/** The folder of a file as the rules name it: `repository/reading`; `schemas`; `main` for src/main.ts. */
export function folderOf(file: string): string {
  const folder = dirname(file).replace(/^src\//, '')
  return folder === 'src' ? 'main' : folder
}

/** All files of `src` and `schemas`, as `src/model/ids.ts`. Tests run from the project's root, as npm runs them. */
export function sourceFiles(): string[] {
  const files = ['src', 'schemas'].flatMap((top) =>
    readdirSync(top, { recursive: true, encoding: 'utf8' }).map((name) => join(top, name)),
  )
  return files.filter((file) => file.endsWith('.ts')).toSorted()
}

/** The file that a relative specifier names; null for a package or a file that is not a module. */
export function targetOf(file: string, specifier: string): string | null {
  if (!specifier.startsWith('.')) return null
  const target = normalize(join(dirname(file), specifier)).replace(/\.js$/, '.ts')
  return target.endsWith('.ts') && existsSync(target) ? target : null
}

/** Returns for each file the files that it imports, without entries of threads, which are only started. */
export function fileGraph(files: readonly string[]): Map<string, string[]> {
  return new Map(
    files.map((file) => {
      const imports = readImports(file, readFileSync(file, 'utf8')).filter(({ form }) => form === 'import')
      const targets = imports.map(({ specifier }) => targetOf(file, specifier))
      return [file, targets.filter((target) => target !== null)]
    }),
  )
}
