// The use of a workspace's quotas.

import { type Static, Type } from 'typebox'
import { closed, nullable, uuid } from './common.js'

const useOf = (description: string) =>
  Type.Object(
    {
      used: Type.Integer({ minimum: 0 }),
      quota: nullable(Type.Integer({ minimum: 0, description: 'The most that is allowed; null: no limit.' })),
    },
    { ...closed, description },
  )

export const usageData = Type.Object(
  {
    bytes: useOf(
      'Size of the repositories on disk, with history and change requests. It may be an estimate of up to a minute ago.',
    ),
    pages: useOf('Published pages of all sites, as far as their indexes have progressed.'),
    sites: useOf('Sites, and imports under way.'),
  },
  { ...closed, title: 'Usage' },
)
export type UsageData = Static<typeof usageData>

export const siteUsageData = Type.Object(
  {
    siteId: uuid('The id of the site.'),
    slug: Type.String({ maxLength: 40, description: 'The slug of the site.', examples: ['demo'] }),
    pages: Type.Integer({ minimum: 0, description: 'Published pages.' }),
    bytes: Type.Integer({
      minimum: 0,
      description: 'Size of its repositories on disk, with history and change requests.',
    }),
  },
  { ...closed, title: 'SiteUsage' },
)
export type SiteUsageData = Static<typeof siteUsageData>
