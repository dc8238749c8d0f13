// Exits 0 if the server in this container answers /healthz, else 1. A worker has no address: its process is its health.
if (process.env.TRADEPOST_ROLE === 'worker') process.exit(0)
const url = `http://127.0.0.1:${process.env.PORT || 4100}/healthz`
const healthy = await fetch(url, { signal: AbortSignal.timeout(4_000) }).then(
  (answer) => answer.ok,
  () => false,
)
process.exit(healthy ? 0 : 1)
