// Says why the service gave no answer, and what to do about it.

/** There is no answer: no connection, or one that broke. `cause` is the error of `fetch`. */
export class Unreachable extends TypeError {
  override name = 'Unreachable'
  /** The code of the system or of Node, such as `ECONNREFUSED`. Browsers tell none. */
  readonly code: string | undefined
  /** Whether another address may help. */
  readonly isAddressInDoubt: boolean

  constructor(message: string, cause: unknown, code: string | undefined, isAddressInDoubt: boolean) {
    super(message, { cause })
    this.code = code
    this.isAddressInDoubt = isAddressInDoubt
  }
}

type Call = (...given: never[]) => Promise<unknown>
/** The parts of a request that tell whether it changes something. */
type Init = { params?: { query?: { dryRun?: unknown } } } | undefined

const METHODS = ['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'request']

/** Lets each call of the client reject with `Unreachable` if there is no answer, also if its body breaks off. */
export function explainFailures(client: object, address: string): void {
  const calls = client as Record<string, Call>
  for (const name of METHODS) {
    const call = calls[name]
    if (call === undefined) continue
    calls[name] = async (...given) => {
      const method = name === 'request' ? String(given[0]).toUpperCase() : name
      const isDryRun = (given.at(-1) as Init)?.params?.query?.dryRun === true
      try {
        return await call(...given)
      } catch (error) {
        throw asUnreachable(error, address, isDryRun || method === 'GET' || method === 'HEAD') ?? error
      }
    }
  }
}

/** The words of Node, Chromium, Firefox and Safari for a request, or the reading of its answer, that failed. */
const OF_FETCH = /^(?:fetch failed|terminated|Failed to fetch|network error|NetworkError\b.*|Load failed)$/
const BROKEN = /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/
/** Browsers tell a page neither what failed, nor whether the service refused its origin. */
const IN_BROWSERS = 'in a web page, the key must name the origin of the page'
const LATE = /^UND_ERR_(?:HEADERS|BODY)_TIMEOUT$/

/** Returns the error with words for people; undefined for an error that is none of the network. `isRead`: the request changes nothing. */
export function asUnreachable(error: unknown, address: string, isRead: boolean): Unreachable | undefined {
  if (error instanceof Unreachable) return error
  if (!(error instanceof TypeError) || !OF_FETCH.test(error.message) || !URL.canParse(address)) return undefined
  const { code, message = IN_BROWSERS } = firstCause(error)
  const [, refused] = /^Proxy response \((\d+)\)/.exec(message) ?? []
  if (refused !== undefined)
    return new Unreachable(`The proxy does not lead to ${address}: it answered ${refused}.`, error, code, false)
  const isLate = code !== undefined && LATE.test(code)
  const isLost = isLate || error.message === 'terminated' || (code !== undefined && BROKEN.test(code))
  if (!isLost) return new Unreachable(wordsFor(code ?? message, address), error, code, true)
  const what = isLate ? `${address} did not answer in time` : `The connection to ${address} broke`
  const next = isRead ? 'try again.' : 'the change may have been made. Look before you try again.'
  return new Unreachable(`${what}: ${next}`, error, code, false)
}

/** Returns the cause that says what happened: a cancelled request has one of its own. */
function firstCause({ cause }: Error): { code?: string; message?: string } {
  const { code, message, cause: earlier } = (cause ?? {}) as { code?: unknown; message?: string; cause?: unknown }
  if (earlier instanceof Error) return firstCause({ name: '', message: '', cause: earlier })
  return { ...(typeof code === 'string' && { code }), ...(message !== undefined && { message }) }
}

/** Words for a connection that did not come about: nothing was sent. */
function wordsFor(why: string, address: string): string {
  const { protocol, hostname } = new URL(address)
  if (why === 'ENOTFOUND') return `There is no host ${hostname} (${why}). Check the spelling of ${address}.`
  if (why === 'EAI_AGAIN') return `The host ${hostname} cannot be looked up (${why}). Check the network, and try again.`
  if (/^E(?:HOST|NET)UNREACH$/.test(why)) return `No network leads to ${address} (${why}). Check network and address.`
  if (/TIMEDOUT|CONNECT_TIMEOUT/.test(why))
    return `${address} cannot be reached in time (${why}). Check the network, the firewalls on the way, and the address.`
  if (/^(?:EPROTO|ERR_SSL_)/.test(why) && protocol === 'https:')
    return `What answers at ${address} does not speak TLS (${why}). Does the address begin with http://?`
  if (/CERT|UNABLE_TO/.test(why))
    return `The certificate of ${address} is not trusted (${why}). Check the address. NODE_EXTRA_CA_CERTS names a file with an authority of your own.`
  if (why.startsWith('HPE_')) return `What answers at ${address} does not speak HTTP (${why}). Check the address.`
  return `Nothing answers at ${address} (${why}). Is the service running there?`
}
