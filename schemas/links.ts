// Secret links to the past of a site and to change requests.

import { type Static, Type } from 'typebox'
import { author, url } from './answer-texts.js'
import { closed, oid, timestamp, uuid } from './common.js'

const expiresIn = Type.Optional(
  Type.Integer({
    minimum: 60,
    maximum: 2_592_000,
    default: 86_400,
    description: 'Lifetime in seconds; default: a day.',
  }),
)

export const createLinkBody = Type.Object(
  { commit: oid('The commit that the link shows: one of `GET /sites/{id}/commits`.'), expiresIn },
  { ...closed, title: 'CreateLink' },
)

export const createRequestLinkBody = Type.Object({ expiresIn }, { ...closed, title: 'CreateChangeRequestLink' })

const linkFields = {
  id: uuid('The id of the link.'),
  siteId: uuid('The id of the site.'),
  commit: oid('The commit that the link shows. With `changeRequest`, its head when the link was made.'),
  changeRequest: Type.Optional(uuid('The change request that the link shows, always at its head.')),
  author: author({ description: 'Who made the link, as commits name their author.' }),
  expiresAt: timestamp('When the link expires. It ends earlier if its maker could no longer make it.'),
  createdAt: timestamp('When the link was made.'),
}

export const linkData = Type.Object(linkFields, { ...closed, title: 'Link' })
export type LinkData = Static<typeof linkData>

export const newLinkData = Type.Object(
  {
    ...linkFields,
    url: url({
      description:
        'Opens the start page of what the link shows; a path may follow. It holds a secret and is shown only once.',
    }),
    reviewUrl: Type.Optional(
      url({
        description:
          'With `changeRequest`: opens the page where a guest sees the preview and its comments. It holds another secret, also shown only once.',
      }),
    ),
  },
  { ...closed, title: 'NewLink' },
)
export type NewLinkData = Static<typeof newLinkData>

const linkId = uuid('The id of the link.')

export const linkParams = Type.Object({ id: uuid('The id of the site.'), linkId }, closed)

export const requestLinkParams = Type.Object({ id: uuid('The id of the change request.'), linkId }, closed)
