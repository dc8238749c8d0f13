import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { TradepostError } from '../api/store.ts'
import { common } from '../text/common.ts'
import { Copy } from './show.tsx'

const PATIENCE_MS = 150

/** Skeleton rows of the real height; nothing for the first moments, so that quick answers do not flicker. */
export function Skeleton({ rows = 6 }: { rows?: number }) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  const keys = Array.from({ length: rows }, (_, index) => `row ${index}`)
  return (
    <div className="skeleton" aria-busy="true">
      {isShown && keys.map((key) => <div key={key} />)}
    </div>
  )
}

/** An empty list: a sentence, and the next step. */
export const Empty = ({ children, action }: { children: ReactNode; action?: ReactNode }) => (
  <div className="empty">
    <p>{children}</p>
    {action}
  </div>
)

/** Why a part of a page failed. The rest of the page works. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const refusal = error instanceof TradepostError ? error : undefined
  return (
    <div className="failure" role="alert" tabIndex={-1}>
      <p>{sentenceOf(error)}</p>
      <p className="quiet">
        {refusal && <code>{refusal.code}</code>}{' '}
        {refusal?.requestId && <Copy text={refusal.requestId} label={common.requestId} />}
      </p>
      {retry && (
        <button type="button" onClick={retry}>
          {common.tryAgain}
        </button>
      )}
    </div>
  )
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof TradepostError)) return common.failed
  if (error.code === 'INSUFFICIENT_SCOPE') return common.notAllowed
  if (error.code === 'FEATURE_NOT_ENABLED') return `${common.featureOff} ${error.message}`
  return error.message
}

/** True below the heading of a page. */
export const BelowHeading = createContext(false)

interface Read<Answer> {
  data: Answer | undefined
  error: Error | null
  isFetching: boolean
  refetch(): unknown
}

/**
 * Shows the data, a loading state, or the error. Shown data stays while it is fetched again. A page
 * whose record cannot be read gets a heading here, because its own has the name of the record.
 */
export function Loaded<Answer>({
  read,
  rows,
  children,
}: {
  read: Read<Answer>
  rows?: number
  children: (answer: Answer) => ReactNode
}) {
  const { data, error, isFetching, refetch } = read
  const isPart = useContext(BelowHeading)
  if (data !== undefined) {
    return (
      <div className={isFetching ? 'refreshing' : undefined}>
        {error && <Failure error={error} retry={() => refetch()} />}
        {children(data)}
      </div>
    )
  }
  return error ? (
    <>
      {!isPart && <h1 tabIndex={-1}>{common.notShown}</h1>}
      <Failure error={error} retry={() => refetch()} />
    </>
  ) : (
    <Skeleton {...(rows !== undefined && { rows })} />
  )
}
