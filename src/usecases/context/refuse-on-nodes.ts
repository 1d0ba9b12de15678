// What a service of several nodes cannot do yet is refused before anything of it is done.

import { ServiceError } from '../../model/errors.js'
import type { Services } from './services.js'

/** Throws `conflict` where several machines share a database. `what` begins the sentence: `Imports`. */
export function refuseOnNodes({ node }: Pick<Services, 'node'>, what: string): void {
  if (node !== undefined)
    throw new ServiceError(
      'conflict',
      `${what} are not possible yet where several nodes share a database (DATABASE_URL).`,
    )
}
