// Finds in a commit's message why the change was made.

import { quoted } from './untrusted-text.js'

/** Beginnings of what the service itself writes below a subject: it says what, and not why. */
const OWN_WORDS = /^(?:- |This reverts commit )/

/** Words the reason that was given, or the first line that a pusher wrote below the subject; empty if there is none. */
export function reasonText(message: unknown, verified: unknown): string {
  if (typeof message !== 'string') return ''
  const [, ...below] = message.split('\n\n')
  const told = verified === 'service' ? below.at(-1) : below[0]
  const [line = ''] = (told ?? '').split('\n')
  return line === '' || OWN_WORDS.test(line) ? '' : `, because ${quoted(line)}`
}
