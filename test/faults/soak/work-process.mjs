// Measures how long a fixed amount of processor time takes on this machine now. The bare server does not show the load
// of the machine well, because even a busy machine runs a short call quickly.
const INTERVAL_MS = 1_000
const WORK_MS = 20

process.once('disconnect', () => process.exit(0))

setInterval(() => {
  const begun = performance.now()
  const before = process.cpuUsage()
  let used_ms = 0
  while (used_ms < WORK_MS) {
    const { user, system } = process.cpuUsage(before)
    used_ms = (user + system) / 1_000
  }
  process.send?.({ ms: performance.now() - begun })
}, INTERVAL_MS)
