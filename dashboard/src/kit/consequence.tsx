import type { ReactNode } from 'react'
import { type StoreContext, useRead } from '../api/store.ts'
import { common } from '../text/common.ts'
import { Failure } from './states.tsx'

interface ConsequenceProps<Numbers> {
  /** The key of the read, which begins with the area of the records. */
  queryKey: readonly unknown[]
  read: (store: StoreContext) => PromiseLike<Numbers>
  children: (numbers: Numbers) => ReactNode
}

/**
 * The consequence of an action, with numbers that are read when its dialog opens. The action does
 * not wait for them.
 */
export function Consequence<Numbers>({ queryKey, read, children }: ConsequenceProps<Numbers>) {
  const { data, error, refetch } = useRead([...queryKey, 'consequence'], read)
  if (data !== undefined) return <p>{children(data)}</p>
  return error ? (
    <Failure error={error} retry={() => refetch()} />
  ) : (
    <p className="secondary-text">{common.counting}</p>
  )
}
