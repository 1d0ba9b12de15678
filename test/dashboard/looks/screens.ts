// The table of all screens. Tests of the looks go through it, and `npm run pictures` takes a picture of each row.

/** The things that an address can name, as `fill` makes them. */
export type Thing = 'site' | 'page' | 'request' | 'collection' | 'invitation' | 'consent'
export type Made = Partial<Record<Thing, string>>

export interface ScreenRow {
  name: string
  /** An address: `:page` stands for the page that was made. Where there is none, there is no such screen. */
  address: string
  /** For people who are not signed in. */
  isPublic?: boolean
  /** A picture of the whole height says no more than one of the window. */
  isWindow?: boolean
}

export const SCREENS: readonly ScreenRow[] = [
  { name: 'sites', address: '/' },
  { name: 'all-reviews', address: '/reviews' },
  { name: 'pages', address: '/sites/:site' },
  { name: 'new-page', address: '/sites/:site/new' },
  { name: 'page', address: '/sites/:site/pages/:page', isWindow: true },
  { name: 'draft', address: '/sites/:site/pages/:page?changeRequest=:request', isWindow: true },
  { name: 'page-history', address: '/sites/:site/pages/:page/history' },
  { name: 'comparison', address: '/sites/:site/pages/:page/history?from=1&to=2', isWindow: true },
  { name: 'files', address: '/sites/:site/files' },
  { name: 'redirects', address: '/sites/:site/files/_redirects' },
  { name: 'header-fields', address: '/sites/:site/files/_headers' },
  { name: 'history', address: '/sites/:site/history' },
  { name: 'past', address: '/sites/:site/history/past' },
  { name: 'reviews', address: '/sites/:site/reviews' },
  { name: 'review', address: '/sites/:site/reviews/:request' },
  { name: 'collections', address: '/sites/:site/collections' },
  { name: 'records', address: '/sites/:site/collections/:collection' },
  { name: 'checks', address: '/sites/:site/checks' },
  { name: 'settings', address: '/sites/:site/settings' },
  { name: 'settings-general', address: '/sites/:site/settings/general' },
  { name: 'settings-visitors', address: '/sites/:site/settings/visitors' },
  { name: 'settings-protection', address: '/sites/:site/settings/protection' },
  { name: 'settings-people', address: '/sites/:site/settings/people' },
  { name: 'settings-git', address: '/sites/:site/settings/git' },
  { name: 'settings-programs', address: '/sites/:site/settings/programs' },
  { name: 'settings-domains', address: '/sites/:site/settings/domains' },
  { name: 'settings-danger', address: '/sites/:site/settings/danger' },
  { name: 'keys', address: '/keys' },
  { name: 'agents', address: '/agents' },
  { name: 'agents-work', address: '/agents/work' },
  { name: 'members', address: '/members' },
  { name: 'audit', address: '/audit' },
  { name: 'profile', address: '/profile' },
  { name: 'sign-in', address: '/sign-in', isPublic: true },
  { name: 'join', address: '/join#:invitation', isPublic: true },
  { name: 'consent', address: ':consent' },
  { name: 'no-site', address: '/sites/nowhere' },
]

/** Returns the address of a screen where these things were made; undefined where one of them is missing. */
export function addressOf({ address }: ScreenRow, made: Made): string | undefined {
  const things = [...address.matchAll(/:([a-z]+)/g)].map(([, thing]) => thing as Thing)
  if (things.some((thing) => made[thing] === undefined)) return undefined
  return address.replaceAll(/:([a-z]+)/g, (_, thing: Thing) => made[thing] ?? '')
}
