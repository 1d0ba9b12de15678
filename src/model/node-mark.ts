// The mark of a node: what one node alone has, open deploys and previews, begins with it, so that a proxy can route by it.

import { ServiceError } from './errors.js'

const DIGITS = 8
/** Numbers of nodes are below 10,000, so half of the mark is zeros. */
const MARK = /^0{4}[0-9]{4}/

/** Eight digits: the number that the operator gave the node. */
export function markOfNode(number: number): string {
  return String(number).padStart(DIGITS, '0')
}

/** Whether this begins with the mark of a node other than `own`. */
export function isOfOtherNode(marked: string, own: string): boolean {
  return own !== '' && MARK.test(marked) && !marked.startsWith(own)
}

/** The answer of a node that was asked for what another one has. */
export function elsewhere(what: 'deploy' | 'preview'): ServiceError {
  return new ServiceError(
    'service_busy',
    `Another node has this ${what}, and does not answer, or the proxy does not route to it. Try again in a few seconds, or make it anew.`,
  )
}
