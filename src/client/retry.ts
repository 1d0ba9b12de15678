// Sends a request again where that helps and can do no harm.

export type Send = (request: Request) => Promise<Response>

/** The longest wait that a service may ask for; past it, its refusal is the answer. */
const MAX_WAIT_SECONDS = 30
/** After a connection broke; twice as long after each further time. */
const FIRST_WAIT_MS = 500

/**
 * Tries up to `retries` times more: after 429 and 503 once `Retry-After` is over, and after a connection that broke, where the
 * request may be repeated. A service that has never answered is not waited for. POST gets an `Idempotency-Key`, so that it may be
 * repeated.
 */
export function withRetries(send: Send, retries: number): Send {
  let hasAnswered = false
  return async (request) => {
    if (retries > 0) addIdempotencyKey(request)
    for (let left = retries; left > 0; left -= 1) {
      try {
        const response = await send(request.clone())
        hasAnswered = true
        const seconds = await secondsToWait(request, response)
        if (seconds === undefined) return response
        await response.body?.cancel()
        await wait(seconds * 1000, request.signal)
      } catch (error) {
        // `fetch` throws TypeError where a connection fails.
        if (!(error instanceof TypeError) || !hasAnswered || !isRepeatable(request)) throw error
        await wait(FIRST_WAIT_MS * 2 ** (retries - left), request.signal)
      }
    }
    return await send(request)
  }
}

function addIdempotencyKey({ method, url, headers }: Request): void {
  if (method !== 'POST' || isDryRun(url) || headers.has('Idempotency-Key')) return
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  headers.set('Idempotency-Key', Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''))
}

/** Undefined where another try is of no use, or could do twice what was done. */
async function secondsToWait(request: Request, response: Response): Promise<number | undefined> {
  if (response.status !== 429 && response.status !== 503) return undefined
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN)
  if (!(seconds <= MAX_WAIT_SECONDS)) return undefined
  return isRepeatable(request) || !(await isOutcomeUnknown(response.clone())) ? seconds : undefined
}

/** Whether it does no more when it comes twice. A condition would no longer hold then. */
function isRepeatable({ method, url, headers }: Request): boolean {
  if (method === 'GET' || method === 'HEAD' || isDryRun(url) || headers.has('Idempotency-Key')) return true
  return method === 'PUT' && !headers.has('If-Match') && !headers.has('If-None-Match')
}

function isDryRun(url: string): boolean {
  return new URL(url).searchParams.get('dryRun') === 'true'
}

async function isOutcomeUnknown(response: Response): Promise<boolean> {
  const body = (await response.json().catch(() => undefined)) as { error?: { code?: unknown } } | undefined
  return body?.error?.code === 'outcome_unknown'
}

/** Rejects with the signal's reason where that comes first. */
async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', abort, { once: true })
  })
}
