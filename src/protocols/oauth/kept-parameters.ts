// The parameters of a request to connect a program. They are kept until its person has answered, so they are bounded. Those that only mean
// something in OpenID Connect are left out, as programs of other services send them too.

import { MAX_KEPT_CHARACTERS, MAX_PARAMETER_CHARACTERS } from '../../admission/unfinished-rows.js'

/** The library refuses these without the scope `openid`, or keeps them unread. */
const OF_OPENID = [
  'acr_values',
  'claims',
  'claims_locales',
  'display',
  'id_token_hint',
  'login_hint',
  'max_age',
  'nonce',
  'ui_locales',
]
/** The words of `prompt` that mean something here. */
const PROMPTS = ['none', 'login', 'consent']

/** Leaves out what has no meaning here. */
export function leaveOutOpenId(query: URLSearchParams): void {
  for (const name of OF_OPENID) query.delete(name)
  const words = query.get('prompt')?.split(' ')
  if (words === undefined || query.getAll('prompt').length > 1) return
  const known = words.filter((word) => PROMPTS.includes(word)).join(' ')
  if (known === '') query.delete('prompt')
  else query.set('prompt', known)
}

/** Says which parameter is too long to be kept; undefined: none. */
export function tooLongIn(params: unknown): string | undefined {
  if (typeof params !== 'object' || params === null) return undefined
  const lengths = Object.entries(params).map(([name, value]) => [name, JSON.stringify(value).length] as const)
  const long = lengths.find(([, length]) => length > MAX_PARAMETER_CHARACTERS)
  if (long !== undefined) return `${long[0]} is longer than ${MAX_PARAMETER_CHARACTERS} characters: send a shorter one.`
  const sum = lengths.reduce((all, [, length]) => all + length, 0)
  return sum > MAX_KEPT_CHARACTERS
    ? `the parameters have more than ${MAX_KEPT_CHARACTERS} characters together: send less.`
    : undefined
}
