// Why the service refused what a person asked for, announced to screen readers.

export function Refusal({ of: message }: { of: string | undefined }) {
  if (message === undefined) return null
  return (
    <p class="wrong" role="alert">
      {message}
    </p>
  )
}
