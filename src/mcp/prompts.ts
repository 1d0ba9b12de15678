// The prompt `publish`: how an agent publishes something well, in the order of its calls.

import {
  type GetPromptResult,
  type ListPromptsResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'

const PUBLISH = {
  name: 'publish',
  title: 'Publish a page',
  description: 'Writes a page about something and publishes it.',
  arguments: [
    { name: 'about', description: 'What the page shall say.', required: true },
    { name: 'path', description: 'Where it shall be, such as /about.', required: false },
  ],
}

export function listPrompts(): ListPromptsResult {
  return { prompts: [PUBLISH] }
}

/** Throws ProtocolError for another name, and without what the page is about. */
export function getPrompt(name: string, given: Readonly<Record<string, string>>): GetPromptResult {
  if (name !== PUBLISH.name) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt "${name}".`)
  const { about, path } = given
  if (!about) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The argument "about" is missing.')
  const place = path ? `at ${path}` : 'at a short path that fits it'
  const text = `Publish a page ${place} that says: ${about}

1. See with list_pages what the site has, and read a page with get_page to match its look and links.
2. Write a whole HTML document with a <title>, a language and links that exist.
3. Publish it with create_page. If the path is taken, ask before you replace what is there.
4. Tell the URL of the answer, and that rollback_page undoes later changes.`
  return { description: PUBLISH.description, messages: [{ role: 'user', content: { type: 'text', text } }] }
}
