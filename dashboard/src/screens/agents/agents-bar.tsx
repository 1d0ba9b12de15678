// The heading of the two screens about agents, with the links between them.

const TABS: readonly [string, string][] = [
  ['/agents', 'Connected'],
  ['/agents/work', 'Work'],
]

export function AgentsBar({ shown }: { shown: '/agents' | '/agents/work' }) {
  return (
    <div class="bar">
      <h1>Agents</h1>
      <nav aria-label="About agents">
        {TABS.map(([to, label]) => (
          <a key={to} href={to} aria-current={to === shown ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
    </div>
  )
}
