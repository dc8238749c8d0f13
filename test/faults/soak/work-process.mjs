// The other calibration: how long a fixed amount of processor time takes on this machine now. A busy
// machine lets a short call through quickly, as to the bare server, but makes work take longer.
const EVERY_MS = 1_000
const WORK_MS = 20

process.once('disconnect', () => process.exit(0))

setInterval(() => {
  const begun = performance.now()
  const before = process.cpuUsage()
  let spent_ms = 0
  while (spent_ms < WORK_MS) {
    const { user, system } = process.cpuUsage(before)
    spent_ms = (user + system) / 1_000
  }
  process.send?.({ ms: performance.now() - begun })
}, EVERY_MS)
