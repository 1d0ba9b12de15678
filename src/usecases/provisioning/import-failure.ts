// Tells the user why an import failed: in the words of the remote, of git or of the hook, and with nothing of the machine.

import { GitFailed } from '../../git/command.js'
import { ServiceError } from '../../model/errors.js'
import { MAX_MESSAGE_CHARACTERS } from '../../model/limits.js'
import { RemoteFailed } from '../../git/remotes/remote-failed.js'
import { PushRefused } from '../../repository/pushing/judge/push-refused.js'

export function reasonOf(error: unknown): string {
  if (error instanceof RemoteFailed || error instanceof PushRefused) return error.message
  if (error instanceof ServiceError && !(error.cause instanceof GitFailed)) return error.message
  return 'The service failed. Its log has the reason.'
}

export function cutSentence(text: string): string {
  return text.slice(0, MAX_MESSAGE_CHARACTERS).toWellFormed()
}
