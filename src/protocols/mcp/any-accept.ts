// Serves clients with any Accept field. The protocol's library refuses each field that does not spell out both of its media types.

const BOTH = 'application/json, text/event-stream'
/** Names the stream of events, unless with the weight 0 (RFC 9110 §12.5.1). */
const STREAM = /\btext\/event-stream\b(?!\s*;\s*q\s*=\s*0(?:\.0*)?\s*(?:[,;]|$))/i

type Answer = (request: Request) => Promise<Response>

/** Answers with a stream only a client that names it. Everybody else gets the same messages as JSON. */
export async function withAnyAccept(request: Request, isBatch: boolean, answer: Answer): Promise<Response> {
  const takesStream = STREAM.test(request.headers.get('accept') ?? '')
  request.headers.set('accept', BOTH)
  const response = await answer(request)
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  return isStream && !takesStream ? await toJson(response, isBatch) : response
}

/** Returns the answers in a stream of events as JSON. Notifications, which have no id, are left out. */
async function toJson(response: Response, isBatch: boolean): Promise<Response> {
  const lines = (await response.text()).split('\n').filter((line) => /^data: *\{/.test(line))
  const messages = lines.map((line) => JSON.parse(line.slice('data:'.length)) as { id?: unknown })
  const answers = messages.filter(({ id }) => id !== undefined)
  return Response.json(isBatch ? answers : answers[0], { status: response.status })
}
