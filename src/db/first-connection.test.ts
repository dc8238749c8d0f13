import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, ping } from './database.ts'
import { openEngine } from './embedded/engine.ts'

/** Connections to the engine whose first answer is late, as on a busy machine. */
async function lateEngine(late_ms: number) {
  const engine = await openEngine()
  onTestFinished(() => engine.close())
  const connect = () => {
    const stream = engine.connect()
    const { push } = stream
    let queue: Parameters<typeof push>[] | undefined = []
    stream.push = (...chunk) => {
      if (!queue) return push.apply(stream, chunk)
      queue.push(chunk)
      return true
    }
    setTimeout(() => {
      for (const chunk of queue ?? []) push.apply(stream, chunk)
      queue = undefined
    }, late_ms)
    return stream
  }
  return connect
}

test('the first connection has the timeout of the start, later ones that of a call (decision 130)', async () => {
  const stream = await lateEngine(500)
  const options = { stream, connectionWait_ms: 50 }
  const patient = openDatabase({ ...options, firstConnection_ms: 60_000 })
  onTestFinished(() => patient.destroy())
  await ping(patient)
  const busy = patient.transaction().execute(() => {
    return expect(ping(patient)).rejects.toThrow('The queue for a database connection')
  })
  await busy
  const hasty = openDatabase(options)
  onTestFinished(() => hasty.destroy())
  await expect(ping(hasty)).rejects.toThrow('connection timeout')
})
