// The prompt `publish` tells an agent how to publish a page well, in the order of its calls.

import {
  type GetPromptResult,
  type ListPromptsResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'

const PUBLISH = {
  name: 'publish',
  title: 'Publish a page',
  description: 'Write a page about a subject and publish it.',
  arguments: [
    { name: 'about', description: 'What the page should say.', required: true },
    { name: 'path', description: 'The path of the page, such as /about.', required: false },
  ],
}

export function listPrompts(): ListPromptsResult {
  return { prompts: [PUBLISH] }
}

/** Throws ProtocolError for an unknown name, and without the argument `about`. */
export function getPrompt(name: string, given: Readonly<Record<string, string>>): GetPromptResult {
  if (name !== PUBLISH.name) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt "${name}".`)
  const { about, path } = given
  if (!about) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The argument "about" is missing.')
  const place = path ? `at ${path}` : 'at a short path that fits it'
  const text = `Publish a page ${place} that says: ${about}

1. List the site's pages with list_pages, and read one with get_page to match its look and links.
2. Write a complete HTML document with a <title>, a language and links that exist.
3. Publish it with create_page. If the path is taken, ask before you replace the page there.
4. Tell the user the URL of the page, and that rollback_page undoes later changes.`
  return { description: PUBLISH.description, messages: [{ role: 'user', content: { type: 'text', text } }] }
}
