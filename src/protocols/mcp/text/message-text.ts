// Words the message of a commit: its subject, and what stands below it.

import { quoted } from './untrusted-text.js'

/** Beginnings of what the service itself writes below a subject: lists of what a change did. */
const LISTS = /^(?:- |This reverts commit )/

/** Words a subject, with the most useful part of the rest of its message in brackets. */
export function messageText(message: unknown, verified: unknown): string {
  const [subject = '', ...below] = paragraphsOf(message)
  const rest = restOf(below, verified)
  return quoted(subject) + (rest === '' ? '' : ` (${quoted(rest)})`)
}

/** Words a message that says more than what was done; empty for others. */
export function reasonText(message: unknown, verified: unknown): string {
  const [, ...below] = paragraphsOf(message)
  return restOf(below, verified) === '' ? '' : `: ${messageText(message, verified)}`
}

/**
 * Returns a line below the subject. Where a reason is the subject, the service names the operation last; in commits of earlier builds it is
 * the other way round. A pusher explains the subject in the first line.
 */
function restOf(below: readonly string[], verified: unknown): string {
  const [line = ''] = ((verified === 'service' ? below.at(-1) : below[0]) ?? '').split('\n')
  return LISTS.test(line) ? '' : line
}

/** Older services send no message. */
function paragraphsOf(message: unknown): string[] {
  return typeof message === 'string' ? message.split('\n\n') : []
}
