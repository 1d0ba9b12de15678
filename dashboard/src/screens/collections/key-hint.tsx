// Says where the key in a shell command comes from.

export function KeyHint() {
  return (
    <p class="hint">
      Make a key at <a href="/keys">API keys</a>, and put it into the variable: <code>KEY=pal_…</code>
    </p>
  )
}
