// Puts commits into a repository.

import { runHere } from '../../programs/shell.js'

/** Files by path, each with its mode and its text. */
export type Files = ReadonlyMap<string, readonly [mode: string, text: string]>

/** One version after another, the first without a parent. */
export function importCommits(gitdir: string, versions: readonly Files[]): string[] {
  let stream = ''
  for (const [at, files] of versions.entries()) {
    stream += `commit refs/heads/main\nmark :${at + 1}\ncommitter Olga <olga@example.org> 1790000000 +0000\ndata 1\n.\n`
    stream += `deleteall\n`
    for (const [path, [mode, text]] of files)
      stream += `M ${mode} inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`
  }
  stream += versions.map((_, at) => `get-mark :${at + 1}\n`).join('')
  const printed = runHere({ command: ['git', '-C', gitdir, 'fast-import', '--quiet', '--force'], input: stream })
  return printed.toString().trim().split('\n')
}
