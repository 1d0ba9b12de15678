// The mirror of a site.

import { type Static, Type } from 'typebox'
import { MAX_REMOTE_URL_CHARACTERS } from '../src/model/limits.js'
import { sentence } from './answer-texts.js'
import { closed, nullable, timestamp } from './common.js'
import { credential, REMOTE_USERNAME } from './sites.js'

export const setMirrorBody = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: MAX_REMOTE_URL_CHARACTERS,
      description: 'The https URL of a git repository that takes pushes, without credentials in it.',
      examples: ['https://git.example/site.git'],
    }),
    credentials: Type.Optional(
      Type.Object(
        {
          username: Type.Optional(credential(REMOTE_USERNAME)),
          password: credential(
            'A password or an access token. It is sent to the host of `url` alone, kept encrypted, and in no answer.',
          ),
        },
        { ...closed, description: 'Leave it out if the remote asks for none.' },
      ),
    ),
  },
  { ...closed, title: 'SetMirror' },
)

export const mirrorData = Type.Object(
  {
    url: nullable(
      Type.String({
        maxLength: MAX_REMOTE_URL_CHARACTERS,
        description: 'The repository that follows the site; null where there is none.',
      }),
    ),
    hasCredentials: Type.Boolean({ description: 'Whether a user name and a password are kept for it.' }),
    state: Type.Enum(['ok', 'behind', 'diverged', 'failed', 'off'], {
      description:
        '`ok`: after the last push the remote showed the head of the site, and its tags. `behind`: a push is due or under way. `failed`: the last one failed, and is tried again at `nextTryAt`. `diverged`: the remote has commits of its own, or other tags of the same names; nothing is pushed until a retry. `off`: there is no mirror, or the service cannot read its credentials, or was restored from a backup; `error` says so then.',
    }),
    lag: nullable(
      Type.Integer({
        minimum: 0,
        description: 'Commits of main that the remote lacked when it was last seen; null where that is not known.',
      }),
    ),
    error: nullable(
      sentence({ description: 'The reason why it is not `ok`. It quotes the remote if the remote gave one.' }),
    ),
    lastSuccessAt: nullable(timestamp('When the remote last showed what was then the head of the site.')),
    nextTryAt: nullable(timestamp('When a failed push is tried again.')),
  },
  { ...closed, title: 'Mirror' },
)
export type MirrorData = Static<typeof mirrorData>
