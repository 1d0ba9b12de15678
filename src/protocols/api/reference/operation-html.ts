// Shows one operation in the reference: its purpose, input and answers, and a command that calls it.

import { curlExample } from './curl-example.js'
import type { Answer, Document, OperationObject, Parameter, Schema } from './document.js'
import { type Html, html, inline, prose } from '../../../texts/html.js'
import { fieldHtml, typeHtml } from './schema-html.js'

const PLACES: readonly Parameter['in'][] = ['path', 'query', 'header']
/** Header fields of nearly every operation. The introduction describes them once. */
export const SHARED_FIELDS: readonly string[] = ['x-service-account-id', 'x-service-site-id', 'Idempotency-Key']

/** Returns the codes that nearly every operation may answer: all that those with a key have in common. */
export function sharedCodesOf(operations: readonly OperationObject[]): ReadonlySet<string> {
  const ofKeys = operations.filter(({ responses }) => responses['401'] !== undefined)
  const [first = [], ...others] = ofKeys.map(({ responses }) => Object.values(responses).flatMap(codesOf))
  return new Set(first.filter((code) => others.every((codes) => codes.includes(code))))
}

function codesOf({ description }: Answer): string[] {
  return Array.from(description.matchAll(/`(\w+)`/g), ([, code = '']) => code)
}

export interface Entry {
  method: string
  path: string
  operation: OperationObject
}

/** Leaves out `shared`, the codes that the introduction names once. */
export function operationHtml(
  document: Document,
  { method, path, operation }: Entry,
  shared: ReadonlySet<string>,
): Html {
  const { operationId, summary, description, requestBody } = operation
  const parameters = PLACES.flatMap((place) =>
    operation.parameters.filter((parameter) => parameter.in === place),
  ).filter(({ name }) => !SHARED_FIELDS.includes(name))
  return html`<article id="${operationId}">
<h3><a href="#${operationId}">${summary}</a></h3>
<p class="endpoint"><span class="method ${method}">${method.toUpperCase()}</span> <code>${breakable(path)}</code></p>
${prose(description)}
<pre tabindex="0" aria-label="Example of ${summary}"><code>${curlExample(document, method, path, operation)}</code></pre>
${requestBody && html`<h4>Body</h4>\n<dl>${Object.entries(requestBody.content).map(bodyHtml)}</dl>`}
${parameters.length > 0 && html`<h4>Parameters</h4>\n<dl>${parameters.map(parameterHtml)}</dl>`}
<h4>Answers</h4>
<dl>${Object.entries(operation.responses).map((answer) => answerHtml(answer, shared))}</dl>
</article>
`
}

function bodyHtml([mediaType, { schema }]: [string, { schema: Schema }]): Html {
  return html`<dt><code>${mediaType}</code></dt><dd>${typeHtml(schema)}</dd>`
}

export function parameterHtml({ name, in: place, required, description, schema }: Parameter): Html {
  return fieldHtml(name, schema, required ? `${place}, required` : place, description)
}

/** Shows only the data of the envelope, which is described once, at the top of the page. */
function answerHtml([status, answer]: [string, Answer], shared: ReadonlySet<string>): Html {
  const { description, headers = {}, content } = answer
  if (Number(status) >= 400) return refusalHtml(status, codesOf(answer), shared)
  const data = status.startsWith('2') ? content?.['application/json']?.schema.properties?.['data'] : undefined
  const fields = Object.keys(headers).filter((name) => name !== 'X-Request-Id' && name !== 'Server-Timing')
  return html`<dt><code>${status}</code></dt>
<dd>${inline(description)}${data && html` <code>data</code> is ${typeHtml(data)}.`}
${fields.length > 0 && html` Field: ${fields.map((name, i) => html`${i > 0 && ', '}<code>${name}</code>`)}.`}</dd>
`
}

/** Lists codes, with commas between them. */
export function codesHtml(codes: readonly string[]): Html {
  return html`${codes.map((code, i) => html`${i > 0 && ', '}<code>${code}</code>`)}`
}

function refusalHtml(status: string, codes: readonly string[], shared: ReadonlySet<string>): Html {
  const own = codes.filter((code) => !shared.has(code))
  return html`<dt><code>${status}</code></dt>
<dd>${own.length === 0 ? 'the shared codes' : codesHtml(own)}</dd>
`
}

/** Lets a narrow screen break the path before a slash. */
function breakable(path: string): Html[] {
  return path.split('/').map((segment, i) => (i === 0 ? html`${segment}` : html`<wbr>/${segment}`))
}
