// Shows one operation in the reference: its purpose, input and answers, and a command that calls it.

import { curlExample } from './curl-example.js'
import type { Answer, Document, OperationObject, Parameter, Schema } from './document.js'
import { type Html, html, inline, prose } from '../../../texts/html.js'
import { fieldHtml, typeHtml } from './schema-html.js'

const PLACES: readonly Parameter['in'][] = ['path', 'query', 'header']

export function operationHtml(document: Document, method: string, path: string, operation: OperationObject): Html {
  const { operationId, summary, description, requestBody } = operation
  const parameters = PLACES.flatMap((place) => operation.parameters.filter((parameter) => parameter.in === place))
  return html`<article id="${operationId}">
<h3><a href="#${operationId}">${summary}</a></h3>
<p class="endpoint"><span class="method ${method}">${method.toUpperCase()}</span> <code>${breakable(path)}</code></p>
${prose(description)}
<pre tabindex="0" aria-label="Example of ${summary}"><code>${curlExample(document, method, path, operation)}</code></pre>
${requestBody && html`<h4>Body</h4>\n<dl>${Object.entries(requestBody.content).map(bodyHtml)}</dl>`}
<h4>Parameters</h4>
<dl>${parameters.map(parameterHtml)}</dl>
<h4>Answers</h4>
<dl>${Object.entries(operation.responses).map(answerHtml)}</dl>
</article>
`
}

function bodyHtml([mediaType, { schema }]: [string, { schema: Schema }]): Html {
  return html`<dt><code>${mediaType}</code></dt><dd>${typeHtml(schema)}</dd>`
}

function parameterHtml({ name, in: place, required, description, schema }: Parameter): Html {
  return fieldHtml(name, schema, required ? `${place}, required` : place, description)
}

/** Shows only the data of the envelope, which is described once, at the top of the page. */
function answerHtml([status, { description, headers = {}, content }]: [string, Answer]): Html {
  const data = status.startsWith('2') ? content?.['application/json']?.schema.properties?.['data'] : undefined
  const fields = Object.keys(headers).filter((name) => name !== 'X-Request-Id' && name !== 'Server-Timing')
  return html`<dt><code>${status}</code></dt>
<dd>${inline(description)}${data && html` <code>data</code> is ${typeHtml(data)}.`}
${fields.length > 0 && html` Field: ${fields.map((name, i) => html`${i > 0 && ', '}<code>${name}</code>`)}.`}</dd>
`
}

/** Lets a narrow screen break the path before a slash. */
function breakable(path: string): Html[] {
  return path.split('/').map((segment, i) => (i === 0 ? html`${segment}` : html`<wbr>/${segment}`))
}
