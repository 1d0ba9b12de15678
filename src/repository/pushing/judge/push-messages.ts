// The messages of every answer to a push, whatever door it comes by: git shows each line behind `remote: `.

import { MAIN } from '../../format/main-ref.js'
import { toServiceError } from '../../protocol/failure.js'

const SENDER = 'palimpsest:'
const REFUSED = `${SENDER} refused: `
const WARNING = `${SENDER} warning: `
const NONE: ReadonlyMap<string, string> = new Map()

/** A refused push. Its lines begin as those of `pushNote`, or follow such a line. */
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

export function pushNote(text: string): string {
  return `${SENDER} ${text}`
}

export function pushWarning(sentence: string): string {
  return `${WARNING}${sentence}`
}

/** Returns the sentence of a warning. */
export function sentenceOf(warning: string): string {
  return warning.startsWith(WARNING) ? warning.slice(WARNING.length) : warning
}

/** Whether the line is ours, among those that other programs print. */
export function isOurs(line: string): boolean {
  return line.startsWith(SENDER)
}

export function isRefusal(line: string): boolean {
  return line.startsWith(REFUSED)
}

/** Makes the refusal with this reason, a sentence. */
export function refusal(reason: string): PushRefused {
  return new PushRefused([`${REFUSED}${reason}`])
}

/** Makes the refusal of single refs, with advice for the site with this slug if one is a branch. `mayPublish`: the pusher may move main. */
export function refusalOfRefs(byRef: ReadonlyMap<string, string>, slug: string, mayPublish = true): PushRefused {
  const refs = [...byRef.keys()]
  const lines = Array.from(byRef, ([ref, reason]) => `${REFUSED}${ref}: ${reason}.`)
  const isBranch = refs.some((ref) => ref.startsWith('refs/heads/') && ref !== MAIN)
  const [does, target] = mayPublish ? ['publish', 'main'] : ['propose', 'refs/for/main']
  const advice = pushNote(`to ${does} what is checked out: git push <remote> HEAD:${target}`)
  return new PushRefused(isBranch ? [...lines, advice, publishInstead(slug, mayPublish)] : lines, byRef)
}

/** Returns the refusal for an error, also for one of the disk; undefined for faults of the service. */
export function asRefusal(error: unknown): PushRefused | undefined {
  if (error instanceof PushRefused) return error
  const { code, message } = toServiceError(error)
  return code === 'internal' ? undefined : refusal(message)
}

/** Returns the line for tools that push the site as a history of its own, such as a branch for pages. */
export function publishInstead(slug: string, mayPublish = true): string {
  const draft = mayPublish ? '' : ' --draft'
  return pushNote(`to make the site what a folder is: palimpsest publish <folder> --delete${draft} --site ${slug}`)
}

export function lacksObjects(): PushRefused {
  return refusal(
    'the push lacks objects that its commits name. Push from a complete clone: git fsck finds what is missing.',
  )
}

/** Returns the refusal if main is not where the client saw it. */
export function mainHasMoved(): PushRefused {
  return refusal('main has moved meanwhile: git pull --rebase, then push again.')
}
