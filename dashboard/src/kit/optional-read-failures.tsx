import { notifyManager, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { useConnection } from './connection.tsx'
import { Failure } from './states.tsx'

/**
 * The failures of optional reads, such as the choices of a filter. No part of the page would show them otherwise.
 */
export function OptionalReadFailures() {
  const cache = useQueryClient().getQueryCache()
  const { isOnline } = useConnection()
  const failedReads = () =>
    cache.findAll({
      type: 'active',
      predicate: ({ meta, state }) => meta?.isOptional === true && state.status === 'error',
    })
  const subscribe = useCallback(
    (listener: () => void) => cache.subscribe(notifyManager.batchCalls(listener)),
    [cache],
  )
  // A text, because a snapshot must be the same value while nothing changes.
  useSyncExternalStore(subscribe, () =>
    failedReads()
      .map(({ queryHash }) => queryHash)
      .join('\n'),
  )
  if (!isOnline) return null
  return failedReads().map((read) => (
    <Failure
      key={read.queryHash}
      error={read.state.error}
      retry={() => void read.fetch().catch(() => {})}
    />
  ))
}
