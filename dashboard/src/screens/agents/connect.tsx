// How to connect a program: a tile for each of the four that most people have, with what to click and what to paste. No key is needed:
// the program opens the browser here, where the person allows what it may do.

import type { ComponentChildren } from 'preact'
import { LinkButton } from '../../parts/controls/button.js'
import { Command } from '../../parts/states/command.js'
import { Disclosure } from '../../parts/states/disclosure.js'

export function Connect() {
  const address = `${location.origin}/mcp`
  const entry = { palimpsest: { url: address } }
  const isLocal = location.protocol !== 'https:'
  return (
    <section aria-label="Connect a program">
      <p>
        Give the address to your program. It opens this site, where you choose what it may do. It needs no key, and you
        can end it at any time.
      </p>
      <Command label="Address" text={address} />
      <ul class="tiles connect">
        <Tile name="Claude" isOnline={isLocal}>
          <ol>
            <li>Open Settings, then Connectors, then “Add custom connector”.</li>
            <li>Paste the address, and choose Connect.</li>
          </ol>
          <p class="hint">In Claude Code, run this, then type /mcp and choose Authenticate:</p>
          <Command label="Command for Claude Code" text={`claude mcp add --transport http palimpsest ${address}`} />
        </Tile>
        <Tile name="ChatGPT" isOnline={isLocal}>
          <ol>
            <li>Open Settings, then Connectors. Newer versions call them Apps.</li>
            <li>Turn on “Developer mode” in the advanced settings.</li>
            <li>Choose Create, paste the address, and choose OAuth as authentication.</li>
          </ol>
        </Tile>
        <Tile name="Cursor">
          <ol>
            <li>Open Settings, then MCP, then “New MCP server”.</li>
            <li>Paste this, save, and choose Connect:</li>
          </ol>
          <Command label="Settings for Cursor" text={JSON.stringify({ mcpServers: entry }, null, 2)} />
        </Tile>
        <Tile name="VS Code">
          <ol>
            <li>Run the command “MCP: Add Server”, and choose HTTP.</li>
            <li>Paste the address, and choose Allow.</li>
          </ol>
          <p class="hint">
            Or write it into <code>.vscode/mcp.json</code>:
          </p>
          <Command
            label="Settings for VS Code"
            text={JSON.stringify({ servers: { palimpsest: { type: 'http', url: address } } }, null, 2)}
          />
        </Tile>
      </ul>
      <Disclosure title="Other programs">
        <p>
          A program that knows OAuth takes the address where it asks for a remote MCP server. One that does not takes a
          key as well: <code>Authorization: Bearer …</code>
        </p>
        <LinkButton href="/keys">API keys</LinkButton>
      </Disclosure>
    </section>
  )
}

interface TileProps {
  name: string
  /** Says that the program comes from the internet: it cannot reach an address of this machine. */
  isOnline?: boolean
  children: ComponentChildren
}

function Tile({ name, isOnline = false, children }: TileProps) {
  return (
    <li class="panel tile">
      <h2>{name}</h2>
      {children}
      {isOnline && <p class="hint">{name} comes from the internet: it needs a public address with https.</p>}
    </li>
  )
}
