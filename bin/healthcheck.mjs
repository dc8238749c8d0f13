// Exits with 0 if the server in this container answers /healthz, else with 1. A worker does not listen, so it is
// healthy while its process runs.
if (process.env.TRADEPOST_ROLE === 'worker') process.exit(0)
const url = `http://127.0.0.1:${process.env.PORT || 4100}/healthz`
const healthy = await fetch(url, { signal: AbortSignal.timeout(4_000) }).then(
  (answer) => answer.ok,
  () => false,
)
process.exit(healthy ? 0 : 1)
