// Sends a request again if that helps and does no harm.

export type Send = (request: Request) => Promise<Response>

/** The longest wait that a service may ask for; if it asks for more, its refusal is the answer. */
const MAX_WAIT_SECONDS = 60
/** Wait after a connection broke; it doubles each further time. */
const FIRST_WAIT_MS = 500
/** Wait while the first request with the same key is in progress: these waits are no retries. */
const IN_PROGRESS_SECONDS = 1
const MAX_WAITS_IN_PROGRESS = 120
/** Statuses of a proxy that got no answer from the service, or none in time. */
const NO_ANSWER: ReadonlySet<number> = new Set([502, 504])

/**
 * Tries up to `retries` more times. After 429 and 503 it waits for `Retry-After`. After a broken connection or a late answer it tries again
 * if the request may be repeated. It does not wait for a service that has never answered. POST gets an `Idempotency-Key`, so that it may be
 * repeated; if the first try is still in progress, it waits for that.
 */
export function withRetries(send: Send, retries: number): Send {
  let hasAnswered = false
  return async (request) => {
    if (retries > 0) addIdempotencyKey(request)
    let waits = 0
    for (let left = retries; left > 0; left -= 1) {
      const backOffMs = FIRST_WAIT_MS * 2 ** (retries - left)
      try {
        const response = await send(request.clone())
        hasAnswered ||= !NO_ANSWER.has(response.status)
        const waitMs = hasAnswered ? await waitMsAfter(request, response, backOffMs) : undefined
        if (waitMs === undefined) return response
        if (response.status === 409 && ++waits <= MAX_WAITS_IN_PROGRESS) left += 1
        await response.body?.cancel()
        await wait(waitMs, request.signal)
      } catch (error) {
        if (!hasAnswered || !isWorthAnotherTry(request, error)) throw error
        await wait(backOffMs, request.signal)
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

/** Returns undefined if another try is useless, or could repeat the effect of the first. */
async function waitMsAfter(request: Request, response: Response, backOffMs: number): Promise<number | undefined> {
  const { status, headers } = response
  if (NO_ANSWER.has(status)) return isRepeatable(request) ? backOffMs : undefined
  if (status !== 409 && status !== 429 && status !== 503) return undefined
  const asked = Number(headers.get('Retry-After') ?? Number.NaN)
  const seconds = asked <= MAX_WAIT_SECONDS ? asked : undefined
  const code = await codeOf(response)
  // Older services send no `Retry-After` with 409.
  if (status === 409) return code === 'idempotency_in_progress' ? 1000 * (seconds ?? IN_PROGRESS_SECONDS) : undefined
  if (seconds === undefined || (code === 'outcome_unknown' && !isRepeatable(request))) return undefined
  return 1000 * seconds
}

/**
 * Whether to try again after an error: a connection that failed (`fetch` throws TypeError), or a write whose answer was late. The second
 * try of a write gets the answer of the first. A late read would only start anew.
 */
function isWorthAnotherTry(request: Request, error: unknown): boolean {
  if (error instanceof TypeError) return isRepeatable(request)
  const isLate = (error as Partial<Error> | undefined)?.name === 'TimeoutError' && !request.signal.aborted
  return isLate && !isRead(request) && isRepeatable(request)
}

/**
 * Whether the request has no further effect when it comes twice. With a condition it could fail: the first try changes the entity tag. In a
 * new change request, a second try would make another one.
 */
function isRepeatable(request: Request): boolean {
  const { method, headers, url } = request
  if (isRead(request) || headers.has('Idempotency-Key')) return true
  if (method !== 'PUT' || parameterOf(url, 'changeRequest') === 'new') return false
  return !headers.has('If-Match') && !headers.has('If-None-Match')
}

/** Whether the request changes nothing. */
export function isRead({ method, url }: Request): boolean {
  return method === 'GET' || method === 'HEAD' || isDryRun(url)
}

function isDryRun(url: string): boolean {
  return parameterOf(url, 'dryRun') === 'true'
}

function parameterOf(url: string, name: string): string | null {
  return new URL(url).searchParams.get(name)
}

/** Returns the code of a refusal, and leaves its body unread. */
async function codeOf(response: Response): Promise<unknown> {
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { error?: { code?: unknown } } | undefined
  return body?.error?.code
}

/** Waits; rejects with the signal's reason if that comes first. */
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
