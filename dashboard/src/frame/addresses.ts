// The addresses of the screens that need a session.

/** Below `/sites/<slug>`. */
export const SITE_PATHS = [
  '',
  '/new',
  '/pages/:page',
  '/pages/:page/history',
  '/files',
  '/files/_redirects',
  '/files/_headers',
  '/history',
  '/history/past',
  '/reviews',
  '/reviews/:request',
  '/collections',
  '/collections/:id',
  '/checks',
  '/settings',
  '/settings/:part',
] as const
export type SitePath = (typeof SITE_PATHS)[number]

export const PEOPLE_PATHS = ['/agents', '/agents/work', '/audit', '/keys', '/members', '/profile'] as const
export type PeoplePath = (typeof PEOPLE_PATHS)[number]
