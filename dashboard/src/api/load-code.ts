import { connection, countWaitingCode, probeNow, untilOnline, watchSilence } from './connection.ts'

/** Loads code. Without a connection, it waits until the server answers. */
export async function loadWhenOnline<Code>(load: () => Promise<Code>): Promise<Code> {
  for (;;) {
    try {
      return await watchSilence(load())
    } catch (error) {
      await probeNow()
      if (connection.get().isOnline) throw error
      await untilOnline()
    }
  }
}

/** Like `loadWhenOnline`, for a part that the user opened. While it waits, the page says so. */
export async function loadOpenedCode<Code>(load: () => Promise<Code>): Promise<Code> {
  countWaitingCode(1)
  try {
    return await loadWhenOnline(load)
  } finally {
    countWaitingCode(-1)
  }
}
