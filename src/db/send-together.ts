import type { Duplex } from 'node:stream'
import type pg from 'pg'

export type Answer = Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>

/**
 * Sends statements in one packet, because each wait for an answer costs both processes a switch (decision 449). Returns
 * their answers when all have come, or throws the first error.
 */
export async function sendTogether(
  client: pg.PoolClient,
  queries: readonly pg.QueryConfig[],
): Promise<Answer[]> {
  const [first] = queries
  if (first && queries.length === 1) return [await client.query(first)]
  const socket = socketOf(client)
  const sent: Promise<Answer>[] = []
  socket.cork()
  try {
    for (const query of queries) sent.push(client.query(query))
  } catch (error) {
    // The rest, such as the commit, is not sent without this statement.
    sent.push(Promise.reject(error))
  } finally {
    socket.uncork()
  }
  const outcomes = await Promise.allSettled(sent)
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failure) throw failure.reason
  return Promise.all(sent)
}

export const socketOf = (client: pg.PoolClient) =>
  (client as unknown as { connection: { stream: Duplex } }).connection.stream
