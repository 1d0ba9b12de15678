// The API reference at /docs: one page of plain HTML, made from the OpenAPI document. It needs no script. So a browser can search all of
// it, a keyboard reaches all of it, and its policy allows no script.

import type { Document, Parameter } from './document.js'
import { type Html, html, prose } from '../../../texts/html.js'
import { codesHtml, type Entry, operationHtml, parameterHtml, sharedCodesOf, SHARED_FIELDS } from './operation-html.js'
import { fieldsHtml, typeHtml } from './schema-html.js'

/** Makes the page from the document of `buildOpenApi`. */
export function referencePage(document: Document): string {
  const { info, servers, tags, components } = document
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Entry => ({ method, path, operation })),
  )
  const sections = tags.map(({ name, description }) => ({
    name,
    description,
    entries: entries.filter(({ operation }) => operation.tags.includes(name)),
  }))
  const schemas = Object.entries(components.schemas)
  const shared = sharedCodesOf(entries.map(({ operation }) => operation))
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title} API</title>
<link rel="stylesheet" href="/docs/reference.css">
</head>
<body>
<a class="skip" href="#main">Skip to the reference</a>
<nav aria-label="Operations">
<p><a href="#main">${info.title} API</a></p>
${sections.map(({ name, entries: own }) => html`<details open><summary>${name}</summary>\n<ul>${own.map(linkHtml)}</ul></details>\n`)}
<details><summary>Schemas</summary>
<ul>${schemas.map(([name]) => html`<li><a href="#schema-${name}">${name}</a></li>`)}</ul></details>
</nav>
<main id="main">
<h1>${info.title} API</h1>
${prose(info.description)}
${introduction(servers[0]?.url ?? '')}
<dl>${sharedFields(entries).map(parameterHtml)}</dl>
<p>Any operation with a key may be refused with these codes, which it does not list again: ${codesHtml([...shared].toSorted())}.</p>
${sections.map(
  ({ name, description, entries: own }) => html`<section id="${name}">
<h2>${name}</h2>
${prose(description)}
${own.map((entry) => operationHtml(document, entry, shared))}</section>
`,
)}
<section id="schemas">
<h2>Schemas</h2>
${schemas.map(
  ([name, schema]) => html`<article id="schema-${name}">
<h3><a href="#schema-${name}">${name}</a></h3>
${schema.description !== undefined && prose(schema.description)}
${schema.properties ? fieldsHtml(schema) : html`<p>${typeHtml(schema)}</p>`}</article>
`,
)}</section>
</main>
</body>
</html>
`.text
}

function introduction(server: string): Html {
  return html`<p>Base URL: <code>${server}</code>. As a file for programs: <a href="/openapi.json">openapi.json</a>
(OpenAPI 3.1).</p>
<p>Send an API key with every request: <code>Authorization: Bearer …</code>. <code>palimpsest keys create</code> makes one.</p>
<p>An answer is <code>{"success": true, "data": …}</code>; a list adds <code>"paging": {"nextCursor": …}</code>. A refusal is
<code>{"success": false, "error": {"code", "message", "requestId"}}</code>: see <a href="#schema-Error">Error</a>.</p>
<p>Requests with a key take these header fields; <code>Idempotency-Key</code> is for <code>POST</code>.</p>
`
}

/** Returns the header fields that nearly every operation takes: each as the first operation with it describes it. */
function sharedFields(entries: readonly Entry[]): Parameter[] {
  const all = entries.flatMap(({ operation }) => operation.parameters)
  return SHARED_FIELDS.flatMap((field) => all.find(({ name }) => name === field) ?? [])
}

function linkHtml({ method, operation: { operationId, summary } }: Entry): Html {
  return html`<li><a href="#${operationId}"><span class="method ${method}">${method.toUpperCase()}</span> ${summary}</a></li>`
}
