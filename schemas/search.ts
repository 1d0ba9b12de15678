// Search in the text of a site's pages.

import { type Static, Type } from 'typebox'
import { pagePath, titleText, url } from './answer-texts.js'
import { closed, nullable, sliceQuery, uuid } from './common.js'

export const searchQuery = Type.Object(
  {
    q: Type.String({
      minLength: 1,
      maxLength: 500,
      description:
        'Words that must all stand in the page; the last may be the start of one. Words joined by other signs (`receive.denyDeletes`) must stand side by side.',
      examples: ['opening hours'],
    }),
    prefix: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2048, description: 'Only pages whose path begins so, such as `/docs/`.' }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'The highest number of pages.' }),
    ),
    cursor: sliceQuery.cursor,
  },
  closed,
)

const foundLine = Type.Object(
  {
    line: Type.Integer({ minimum: 1, description: 'The line of the document, counted from 1.' }),
    text: Type.String({
      maxLength: 200,
      description: 'The visible text of the line, cut to 200 characters around the match.',
    }),
    ranges: Type.Array(Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 }), {
      maxItems: 200,
      description: 'Where in `text` the words stand: start and end in UTF-16 units.',
    }),
  },
  closed,
)

export const pageHit = Type.Object(
  {
    id: uuid('The id of the page.'),
    siteId: uuid('The id of its site.'),
    path: pagePath(),
    url: url(),
    title: nullable(titleText()),
    lines: Type.Array(foundLine, {
      maxItems: 3,
      description: 'At most three lines that hold most of the words; none where the title alone does.',
    }),
  },
  { ...closed, title: 'PageHit' },
)
export type PageHitData = Static<typeof pageHit>
