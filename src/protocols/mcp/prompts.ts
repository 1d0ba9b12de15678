// The prompts tell an agent what to call, and in which order. One is to publish a page, one to propose changes that a person publishes.

import {
  type GetPromptResult,
  type ListPromptsResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'

type Given = Readonly<Record<string, string>>

interface Prompt {
  name: string
  title: string
  description: string
  arguments: { name: string; description: string; required: boolean }[]
  text: (about: string, given: Given) => string
}

const PROMPTS: readonly Prompt[] = [
  {
    name: 'publish',
    title: 'Publish a page',
    description: 'Write a page about a subject and publish it.',
    arguments: [
      { name: 'about', description: 'What the page should say.', required: true },
      { name: 'path', description: 'The path of the page, such as /about.', required: false },
    ],
    text: (
      about,
      { path },
    ) => `Publish a page ${path ? `at ${path}` : 'at a short path that fits it'} that says: ${about}

1. List the site's pages with list_pages, and read one with get_page to match its look and links.
2. Write a complete HTML document with a <title>, a language and links that exist.
3. Publish it with create_page. If the path is taken, ask before you replace the page there.
4. Tell the user the URL of the page, and that rollback_page undoes later changes.`,
  },
  {
    name: 'propose',
    title: 'Propose a change',
    description: 'Make changes in a change request, for a person to approve and publish.',
    arguments: [
      { name: 'about', description: 'What should change.', required: true },
      { name: 'changeRequest', description: 'The number or id of one to go on with.', required: false },
    ],
    text: (about, { changeRequest }) => `Propose this change, and publish nothing: ${about}

1. Read what is there now with list_pages, get_page and get_file.
2. ${changeRequest ? `Pass changeRequest="${changeRequest}" to every write` : 'Pass changeRequest="new" to the first write. Its answer names the change request: pass that to every later write'}. Visitors see nothing of it.
3. Read each changed page back with the same changeRequest, check the links with check_site, and look at all of it with get_change_request.
4. Give it a title that says what it changes, and state="review", with edit_change_request.
5. Tell the user its number and what it changes, and that a dry run with the same changeRequest gives the link of a preview.
6. Wait for the user's approval. If the user asks for more, write to the same changeRequest: an approval is of one commit, so each change needs a new one.
7. The user publishes it in the dashboard or with "palimpsest changes publish". Publish it yourself only if the user asks for that.`,
  },
]

export function listPrompts(): ListPromptsResult {
  return {
    prompts: PROMPTS.map(({ name, title, description, arguments: known }) => ({
      name,
      title,
      description,
      arguments: known,
    })),
  }
}

/** Throws ProtocolError for an unknown name, and without the argument `about`. */
export function getPrompt(name: string, given: Given): GetPromptResult {
  const prompt = PROMPTS.find((known) => known.name === name)
  if (prompt === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt "${name}".`)
  const { about } = given
  if (!about) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The argument "about" is missing.')
  const { description, text } = prompt
  return { description, messages: [{ role: 'user', content: { type: 'text', text: text(about, given) } }] }
}
