// One commit of very many pages, as a push brings it.

import { runHere } from '../programs/shell.js'

const COMMIT =
  'commit refs/heads/main\ncommitter O <o@example.org> 1800000000 +0000\ndata 1\nx\nfrom refs/heads/main^0\n'

/** The pages are /page-0, /page-1 and so on, with titles. */
export function pushPages(gitdir: string, count: number): void {
  const pages = Array.from({ length: count }, (_, n) => fileOf(`page-${n}.html`, `<title>Page ${n}</title>`))
  runHere({ command: ['git', '-C', gitdir, 'fast-import', '--quiet'], input: COMMIT + pages.join('') })
}

function fileOf(path: string, content: string): string {
  return `M 100644 inline ${path}\ndata ${Buffer.byteLength(content)}\n${content}\n`
}
