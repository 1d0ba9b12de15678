// Reads the options of a push (git push -o).

import { MAX_TITLE_CHARACTERS } from '../../../schemas/change-requests.js'
import { pushWarning, refusal } from '../../repository/pushing/judge/push-messages.js'

/** Options that every push may have are not named. */
export interface PushOptions {
  /** It is judged and shown, and moves nothing. */
  isDryRun: boolean
  message: string | null
  /** The title of a change request. */
  title: string | undefined
  /** The change request to add to, as the pusher names it. */
  changeRequest: string | undefined
  /** Lines for the person who pushes. */
  lines: readonly string[]
}

const MAX_MESSAGE_CHARACTERS = 1000
/** The longest part of unknown options that is repeated. */
const MAX_SHOWN_CHARACTERS = 200
const KNOWN = {
  publishing: { names: ['message'], words: 'There are message=<text> and dry-run.' },
  proposing: {
    names: ['title', 'changeRequest'],
    words: 'There are title=<text>, changeRequest=<number or id> and dry-run.',
  },
} as const

/**
 * Options for other services are common in people's settings, so unknown ones only lead to a warning. One that could mean dry-run or
 * changeRequest is refused: such a push must not publish. Throws PushRefused.
 */
export function parseOptions(options: readonly string[], isProposing: boolean): PushOptions {
  const { names, words } = KNOWN[isProposing ? 'proposing' : 'publishing']
  const found = new Map<string, string>()
  const unknown: string[] = []
  for (const option of options) {
    const [, name = '', text] = /^([^=]*)(?:=(.*))?$/s.exec(option) ?? []
    if (option === 'dry-run') found.set(option, '')
    else if (text !== undefined && (names as readonly string[]).includes(name)) found.set(name, text)
    else if (!isProposing && isLikeChangeRequest(name)) throw refusal(wordsOfPublishing(option))
    else if (isLikeDryRun(name) || isLikeChangeRequest(name))
      throw refusal(`there is no push option "${show(option)}". ${words}`)
    else unknown.push(option)
  }
  const warning = pushWarning(`there is no push option "${show(unknown.join('", "'))}", so it did nothing. ${words}`)
  return {
    isDryRun: found.has('dry-run'),
    message: found.get('message')?.slice(0, MAX_MESSAGE_CHARACTERS) ?? null,
    title: titleIn(found.get('title') ?? ''),
    changeRequest: found.get('changeRequest'),
    lines: unknown.length === 0 ? [] : [warning],
  }
}

/** Returns the text as the title of a change request; undefined if nothing is left of it. */
export function titleIn(text: string): string | undefined {
  const words = text.replaceAll(/\p{Cc}+/gu, ' ').trim()
  return words === '' ? undefined : Array.from(words).slice(0, MAX_TITLE_CHARACTERS).join('')
}

/** Whether the option's name has most letters of dry-run: dryrun, DRY_RUN, dry-run=true, rdy-run. */
function isLikeDryRun(name: string): boolean {
  return /dry|run$/.test(lettersOf(name))
}

function isLikeChangeRequest(name: string): boolean {
  return lettersOf(name).startsWith('changerequest')
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '')
}

function wordsOfPublishing(option: string): string {
  return `this push would publish, and its option "${show(option)}" names a change request: push to refs/for/main instead.`
}

function show(option: string): string {
  return option.slice(0, MAX_SHOWN_CHARACTERS).replaceAll(/\p{Cc}/gu, '?')
}
