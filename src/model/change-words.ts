// Says in a person's words what a commit of the service did: "changed /about". Its message holds that as `Replace /about`.

const PUBLISHED = /^Publish (?<thing>change request \d+)$/

/** The operations of the service, with what a person calls them: the words before the thing that was changed, and those after it. */
const WORDS: readonly (readonly [pattern: RegExp, before: string, after?: string])[] = [
  [/^Publish (?<thing>\/.*)$/, 'published'],
  [/^Replace (?<thing>\/.*)$/, 'changed'],
  [/^Retitle (?<thing>\/.*)$/, 'gave', 'another title'],
  [/^Unpublish (?<thing>\/.*)$/, 'took', 'down'],
  [/^Mark (?<thing>\/.*) as gone$/, 'marked', 'as gone'],
  [/^Redirect (?<thing>\/.*) to (?<to>\S+)$/, 'led', 'to'],
  [/^Roll back (?:file )?(?<thing>\/.*) to [0-9a-f]+$/, 'went back to an earlier version of'],
  [/^Go back to [0-9a-f]+ in (?<thing>.*)$/, 'took', 'back to how it was'],
  [/^Go back to [0-9a-f]+$/, 'took the site back to how it was'],
  [/^Move (?:file )?(?<thing>\/.*) to (?<to>\/.*)$/, 'moved', 'to'],
  [/^Add file (?<thing>\/.*)$/, 'added'],
  [/^Replace file (?<thing>\/.*)$/, 'changed'],
  [/^Delete file (?<thing>\/.*)$/, 'removed'],
  [/^Deploy (?<thing>\d+ files?)$/, 'published a folder of'],
  [/^Change (?<thing>\d.*)$/, 'changed'],
  [/^Create collection (?<thing>.*)$/, 'made the collection'],
  [/^Replace collection (?<thing>.*)$/, 'changed the collection'],
  [/^Delete collection (?<thing>.*)$/, 'deleted the collection'],
  [/^Create record \S+ in (?<thing>.*)$/, 'added a record to'],
  [/^Replace record \S+ in (?<thing>.*)$/, 'changed a record of'],
  [/^Delete record \S+ from (?<thing>.*)$/, 'deleted a record of'],
  [/^Revert "(?<undone>.*)"$/, 'took back'],
  [/^Revert (?<thing>\d+ commits)$/, 'took back'],
  [PUBLISHED, 'published'],
  [/^Bring (?<thing>change request \d+) up to date$/, 'brought', 'up to date'],
  [/^Create site .*$/, 'made the site'],
]

/** An act in words: “moved”, “/about”, “to /club/about”. */
export interface Act {
  before: string
  /** The path or the name of the thing. */
  thing: string
  after: string
}

export interface ChangeInWords {
  /** Undefined where the service did not say it: somebody wrote the whole message. */
  done: Act | undefined
  /** A person's own message. */
  said: string | undefined
}

/** Returns what was done, and a person's own message where there is one. */
export function readChange(message: string): ChangeInWords {
  const paragraphs = message.split('\n\n').map((paragraph) => paragraph.trim())
  const [subject = ''] = paragraphs
  const own = actOf(subject)
  if (own !== undefined) return { done: own, said: undefined }
  const operation = paragraphs.length > 1 ? (paragraphs.at(-1) ?? '') : ''
  const title = subject.split('\n', 1)[0]
  // The title of a change request names it better than its number.
  if (PUBLISHED.test(operation))
    return { done: { before: 'published', thing: title ?? '', after: '' }, said: undefined }
  return { done: actOf(operation), said: title }
}

/** Does the same in one text. */
export function wordsOfChange(message: string): string {
  const { done, said } = readChange(message)
  const told = done && textOf(done)
  if (said === undefined) return told ?? ''
  return told === undefined ? `“${said}”` : `${told}: “${said}”`
}

function textOf({ before, thing, after }: Act): string {
  return [before, thing, after].filter((part) => part !== '').join(' ')
}

function actOf(operation: string): Act | undefined {
  for (const [pattern, before, after = ''] of WORDS) {
    const named = pattern.exec(operation)
    if (named === null) continue
    const { thing = '', to, undone } = named.groups ?? {}
    if (undone !== undefined) return { before, thing: `“${quoted(undone)}”`, after }
    return { before, thing, after: to === undefined ? after : `${after} ${to}` }
  }
  return undefined
}

/** The subject of a commit that was taken back. */
function quoted(subject: string): string {
  const act = actOf(subject)
  return act === undefined ? subject : textOf(act)
}
