// The refusal of a push.

import { toServiceError } from '../../protocol/failure.js'

const BEGINNING = 'palimpsest: refused: '
const NONE: ReadonlyMap<string, string> = new Map()

/** Its lines begin with "palimpsest:", or follow such a line. */
export class PushRefused extends Error {
  override name = 'PushRefused'
  readonly lines: readonly string[]
  /** Reasons that concern single refs. */
  readonly byRef: ReadonlyMap<string, string>

  constructor(lines: readonly string[], byRef = NONE) {
    super(lines.join('\n'))
    this.lines = lines
    this.byRef = byRef
  }
}

/** Makes the refusal with this reason, a sentence. */
export function refusal(reason: string): PushRefused {
  return new PushRefused([`${BEGINNING}${reason}`])
}

/** Returns the refusal for an error, also for one of the disk; undefined for faults of the service. */
export function asRefusal(error: unknown): PushRefused | undefined {
  if (error instanceof PushRefused) return error
  const { code, message } = toServiceError(error)
  return code === 'internal' ? undefined : refusal(message)
}

/** Makes the refusal of single refs: if one is refused, so are the others. `advice` are more lines. */
export function refusalOfRefs(byRef: ReadonlyMap<string, string>, advice: readonly string[] = []): PushRefused {
  const lines = Array.from(byRef, ([ref, reason]) => `${BEGINNING}${ref}: ${reason}.`)
  return new PushRefused([...lines, ...advice], byRef)
}

/** Returns the line for tools that push the site as a history of its own, such as a branch for pages. */
export function publishInstead(slug: string): string {
  return `palimpsest: to make the site what a folder is: palimpsest publish <folder> --delete --site ${slug}`
}

export function lacksObjects(): PushRefused {
  return refusal(
    'the push lacks objects that its commits name. Push from a complete clone: git fsck finds what is missing.',
  )
}

export function isRefusal(line: string): boolean {
  return line.startsWith(BEGINNING)
}
