// A process that only uses CPU time: the given share of each second, unrelated to the service.

const SLICE_MS = 20
process.once('disconnect', () => process.exit())
const share = Math.min(Number(process.argv[2]), 1)

setInterval(() => {
  const end = performance.now() + SLICE_MS * share
  while (performance.now() < end);
}, SLICE_MS)
