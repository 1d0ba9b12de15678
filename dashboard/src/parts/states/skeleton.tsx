// Stands for what is not there yet. Screen readers hear that it is loading.

export function Skeleton({ lines = 6 }: { lines?: number }) {
  return (
    <div class="loading" role="status">
      <span class="unseen">Loading…</span>
      <div class="skeleton" aria-hidden="true">
        {Array.from({ length: lines }, (_, at) => (
          <span key={at} />
        ))}
      </div>
    </div>
  )
}
