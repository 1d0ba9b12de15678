// The URL of a remote as a client may send it: a repository over HTTP, without credentials in it.

import { ServiceError } from '../../model/errors.js'
import { MAX_REMOTE_URL_CHARACTERS } from '../../model/limits.js'

/** Parses the URL and removes slashes at its end. Throws `invalid_remote`. */
export function parseRemoteUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new ServiceError(
      'invalid_remote',
      'Send the https URL of a git repository, such as https://git.example/site.git.',
    )
  if (url.username !== '' || url.password !== '')
    throw new ServiceError('invalid_remote', 'Send user name and password in fields of their own, not in the URL.')
  if (url.search !== '' || url.hash !== '')
    throw new ServiceError('invalid_remote', 'The URL of a repository has neither "?" nor "#".')
  url.pathname = url.pathname.replace(/\/+$/, '')
  if (url.href.length > MAX_REMOTE_URL_CHARACTERS)
    throw new ServiceError('invalid_remote', `A URL has at most ${MAX_REMOTE_URL_CHARACTERS} characters.`)
  return url
}
