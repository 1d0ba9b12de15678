// A call of a use case as one object: who asks, what they may, and the parts of the service that the use case names.

import type { Site } from '../../catalog/site.js'
import type { RequestContext } from './request-context.js'
import type { Services } from './services.js'

/** A use case names the parts that it uses: `Call<'catalog' | 'clock'>`. */
export type Call<Used extends keyof Services = never> = RequestContext & Pick<Services, Used>

/** A call whose site is known. */
export type SiteCall<Used extends keyof Services = never> = Call<Used> & { site: Site }

/** Parts of the service and a site, for work that does not depend on who asks. */
export type AtSite<Used extends keyof Services = never> = Pick<Services, Used> & { site: Site }

/** The parts that read a site. */
export type Reading = 'store' | 'indexFollower'

/** The parts that find a site and read it. */
export type Finding = Reading | 'catalog'

/** The parts that find a site and write to it. */
export type Writing = Finding | 'clock' | 'idempotency'

/** The parts that change pages or files, or try such a change. */
export type Changing = Writing | 'baseUrl' | 'limits' | 'previews' | 'siteDomain' | 'tasks'
