// Secret links to the past of a site.

import { type Static, Type } from 'typebox'
import { author, url } from './answer-texts.js'
import { closed, oid, timestamp, uuid } from './common.js'

export const createLinkBody = Type.Object(
  {
    commit: oid('The commit that the link shows: one of `GET /sites/{id}/commits`.'),
    expiresIn: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 2_592_000,
        default: 86_400,
        description: 'Lifetime in seconds; default: a day.',
      }),
    ),
  },
  { ...closed, title: 'CreateLink' },
)

const linkFields = {
  id: uuid('The id of the link.'),
  siteId: uuid('The id of the site.'),
  commit: oid('The commit that the link shows.'),
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
        'Opens the start page of the site at the commit; a path may follow. It holds a secret and is shown only once.',
    }),
  },
  { ...closed, title: 'NewLink' },
)
export type NewLinkData = Static<typeof newLinkData>

export const linkParams = Type.Object({ id: uuid('The id of the site.'), linkId: uuid('The id of the link.') }, closed)
